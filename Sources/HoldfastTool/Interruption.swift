import Dispatch
import Foundation
import HoldfastFiles
import Synchronization

/// A handler of Ctrl-C, `kill` and a closed terminal that terminates the process between two lines of output.
///
/// Work that shows its progress is undone first: it leaves no file behind. Nothing else is cleaned up,
/// because whatever a verb makes is complete before it gets its name.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Starts handling signals; from now on they take effect after the line that is being written.
  init(_ console: Console) {
    let queue = DispatchQueue(label: "holdfast.interruption")
    let isEnding = Mutex(false)
    // A signal keeps its default action until its source is registered, so that none is lost.
    let registrations = DispatchGroup()
    sources = Terminal.endingSignals.filter { !Terminal.isIgnored($0) }.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      let code = 128 + number
      source.setEventHandler {
        // The line that is being written may wait for a reader, and work may take long to undo: the
        // second signal ends the process at once.
        let isSecond = isEnding.withLock { flag in
          defer { flag = true }
          return flag
        }
        if isSecond { _exit(code) }
        DispatchQueue.global().async { console.interrupt(code) }
      }
      registrations.enter()
      source.setRegistrationHandler {
        Terminal.leaveToDispatch(number)
        registrations.leave()
      }
      source.activate()
      return source
    }
    registrations.wait()
  }
}
