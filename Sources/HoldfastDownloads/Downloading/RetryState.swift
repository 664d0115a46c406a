import HoldfastFiles
import Synchronization

/// The state that a download keeps from one attempt to the next.
final class RetryState: Sendable {
  struct State {
    var machine = DownloadMachine()
    var content: ContentState
    var failures = 0
    /// The greatest number of bytes that an attempt has received so far.
    var greatestReceived: Int64 = 0
    /// The number of times that the transfer had begun again when the last attempt began.
    var startOversBefore = 0
    /// The system's content, until it is the part.
    var handed: HandedFile?
    /// Whether an existing file was looked for; done once.
    var isDestinationExamined = false
    var attempt: Task<Void, Never>?
    var retry: Task<Void, Never>?
    var failure: (any Error)?
  }

  private let state: Mutex<State>

  init(_ request: DownloadRequest) {
    state = Mutex(
      State(
        content: ContentState(
          expected: ExpectedContent(
            byteCount: request.expectedByteCount, sha256: request.expectedSHA256,
            types: AcceptedTypes(request)))))
  }

  func withState<Value>(_ body: (inout sending State) throws -> sending Value) rethrows
    -> sending Value
  {
    try state.withLock(body)
  }
}
