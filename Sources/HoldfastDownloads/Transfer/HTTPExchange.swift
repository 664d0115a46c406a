import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The receiver of a response; all calls come from one serial queue, the head first.
protocol ResponseReceiver: AnyObject, Sendable {
  /// Returns whether the body is wanted.
  func receive(_ head: ResponseHead) -> Bool
  /// Returns whether more is wanted.
  func receive(_ bytes: Data) -> Bool
}

/// One request and its response, with the redirects before it.
final class HTTPExchange: Sendable {
  private struct State {
    var visited: [URL]
    var task: URLSessionTask?
    var isAbandoned = false
    var refusal: DownloadError?
    var hasHead = false
  }

  let request: URLRequest
  private let receiver: any ResponseReceiver
  private let redirectLimit: Int
  private let state: Mutex<State>
  private let end: @Sendable ((any Error)?) -> Void

  /// - Parameters:
  ///   - request: The request.
  ///   - redirectLimit: The greatest number of redirects.
  ///   - receiver: The receiver of the response.
  ///   - end: Is called once; with an error when the transfer did not reach its end.
  init(
    _ request: URLRequest, redirectLimit: Int, to receiver: any ResponseReceiver,
    end: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.request = request
    self.redirectLimit = redirectLimit
    self.receiver = receiver
    self.end = end
    state = Mutex(State(visited: request.url.map { [$0] } ?? []))
  }

  /// Remembers the task; returns false when nothing is wanted any more.
  func begin(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.task = task
      return !state.isAbandoned
    }
  }

  /// Ignores what still arrives, and returns the task to be cancelled.
  func abandon() -> URLSessionTask? {
    state.withLock { state in
      state.isAbandoned = true
      return state.task
    }
  }

  // MARK: Called by the session's delegate

  /// Returns whether the body is wanted.
  func receive(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse else {
      refuse(.notHTTP())
      return false
    }
    guard isWanted else { return false }
    state.withLock { $0.hasHead = true }
    return keepOn(receiver.receive(ResponseHead(response)))
  }

  /// Returns whether more is wanted.
  func receive(_ bytes: Data) -> Bool {
    guard isWanted else { return false }
    return keepOn(receiver.receive(bytes))
  }

  /// Returns the request that follows a redirect; `nil` when it is refused.
  func redirect(to target: URL) -> URLRequest? {
    let verdict = state.withLock { state in
      let verdict = RedirectVerdict(to: target, after: state.visited, limit: redirectLimit)
      state.visited.append(target)
      return verdict
    }
    switch verdict {
    case .refuse(let reason):
      refuse(.redirect(target, reason))
      return nil
    case .follow(let url, let keepsCredentials):
      var next = request
      next.url = url
      if !keepsCredentials {
        for name in ["Authorization", "Proxy-Authorization", "Cookie"] {
          next.setValue(nil, forHTTPHeaderField: name)
        }
      }
      return next
    }
  }

  func complete(_ error: (any Error)?) {
    let (refusal, hasHead) = state.withLock { state in
      state.task = nil
      return (state.refusal, state.hasHead)
    }
    end(refusal ?? error ?? (hasHead ? nil : URLError(.badServerResponse)))
  }

  /// Bytes that follow a refusal, before the task is cancelled, reach the receiver no more.
  private func keepOn(_ isWanted: Bool) -> Bool {
    if !isWanted { state.withLock { $0.isAbandoned = true } }
    return isWanted
  }

  private var isWanted: Bool {
    state.withLock { !$0.isAbandoned && $0.refusal == nil }
  }

  private func refuse(_ error: DownloadError) {
    state.withLock { $0.refusal = $0.refusal ?? error }
  }
}
