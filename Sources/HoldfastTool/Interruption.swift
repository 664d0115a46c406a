import Dispatch
import Foundation
import HoldfastFiles
import Synchronization

/// Ends the process between two lines when it is asked to: by Ctrl-C or `kill`.
///
/// Work that shows its progress is undone first: it leaves no file behind. Nothing else is cleaned up,
/// because whatever a verb makes is complete before it gets its name.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Begins to listen; from now on `kill` and Ctrl-C wait for the line that is being written.
  init(_ console: Console) {
    let queue = DispatchQueue(label: "holdfast.interruption")
    let isEnding = Mutex(false)
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
      // The signal keeps its usual effect until the source listens, so that none is lost.
      let isListening = DispatchSemaphore(value: 0)
      source.setRegistrationHandler {
        Terminal.leaveToDispatch(number)
        isListening.signal()
      }
      source.activate()
      isListening.wait()
      return source
    }
  }
}
