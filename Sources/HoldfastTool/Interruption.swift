import Dispatch
import Foundation
import HoldfastFiles
import Synchronization

/// A handler of Ctrl-C and `kill` that terminates the process between two lines of output.
///
/// Nothing is cleaned up: a file that a verb creates is complete before it gets its name.
final class Interruption {
  private let sources: [any DispatchSourceSignal]

  /// Starts handling signals; from now on they take effect after the line that is being written.
  init(_ console: Console) {
    let queue = DispatchQueue(label: "holdfast.interruption")
    let isEnding = Mutex(false)
    sources = Terminal.endingSignals.filter { !Terminal.isIgnored($0) }.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      let code = 128 + number
      source.setEventHandler {
        // The line that is being written may block on its reader; a second signal does not wait.
        let isSecond = isEnding.withLock { flag in
          defer { flag = true }
          return flag
        }
        if isSecond { _exit(code) }
        DispatchQueue.global().async { console.end(code) }
      }
      // The signal keeps its default action until the source is registered, so that none is lost.
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
