import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The session that performs all exchanges of a downloader.
final class Transport: Sendable {
  private let session: URLSession
  private let delegate: TransportDelegate

  // Linux's session makes its calls wait while it delivers, and it delivers while files are
  // written; no task of Swift's waits for that, and never the queue of the deliveries.
  private let commands: DispatchQueue

  init(hostLimit: Int, timeout: Duration) {
    let settings = URLSessionConfiguration.ephemeral
    // A cache would keep a second copy of each file in memory.
    settings.urlCache = nil
    settings.requestCachePolicy = .reloadIgnoringLocalCacheData
    settings.httpCookieStorage = nil
    settings.httpShouldSetCookies = false
    settings.httpMaximumConnectionsPerHost = max(1, hostLimit)
    settings.timeoutIntervalForRequest = timeout / .seconds(1)
    settings.timeoutIntervalForResource = 7 * 24 * 3600
    #if canImport(FoundationNetworking)
      let deliveries = DeliveryQueue()
    #else
      let deliveries = OperationQueue()
      deliveries.maxConcurrentOperationCount = 1
    #endif
    let commands = DispatchQueue(label: "holdfast.downloads.session")
    delegate = TransportDelegate(commands: commands)
    self.commands = commands
    session = URLSession(configuration: settings, delegate: delegate, delegateQueue: deliveries)
  }

  /// Sends a request and returns when its response has ended.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - redirectLimit: The greatest number of redirects.
  ///   - receiver: The receiver of the response.
  /// - Throws: `DownloadError` for a refused redirect; `URLError`, with `.cancelled` after a
  ///   cancellation and when the receiver wanted no more.
  func perform(
    _ request: URLRequest, redirectLimit: Int, to receiver: any ResponseReceiver
  ) async throws {
    let current = Mutex<HTTPExchange?>(nil)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        let exchange = HTTPExchange(request, redirectLimit: redirectLimit, to: receiver) { error in
          if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
        current.withLock { $0 = exchange }
        commands.async { [session, delegate] in
          let task = session.dataTask(with: request)
          delegate.register(exchange, for: task)
          let isWanted = exchange.begin(task)
          task.resume()
          if !isWanted { task.cancel() }
        }
        // The handler may have run before there was an exchange.
        if Task.isCancelled { delegate.abandon(exchange) }
      }
    } onCancel: {
      if let exchange = current.withLock({ $0 }) { delegate.abandon(exchange) }
    }
  }

  /// Ends the session; exchanges that run are cancelled.
  func close() {
    commands.async { [session] in session.invalidateAndCancel() }
  }

  deinit {
    session.finishTasksAndInvalidate()
  }
}

/// The session's delegate, which finds the exchange of each call.
final class TransportDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Mutex<[Int: HTTPExchange]>([:])
  private let commands: DispatchQueue

  init(commands: DispatchQueue) {
    self.commands = commands
  }

  func register(_ exchange: HTTPExchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  func abandon(_ exchange: HTTPExchange) {
    commands.async { exchange.abandon()?.cancel() }
  }

  private func exchange(of task: URLSessionTask) -> HTTPExchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    // Linux's session ignores the answer, so the task is cancelled too.
    if let exchange = exchange(of: dataTask), !exchange.receive(response) { abandon(exchange) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if let exchange = exchange(of: dataTask), !exchange.receive(data) { abandon(exchange) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    let next = request.url.flatMap { exchange(of: task)?.redirect(to: $0) }
    completionHandler(next)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    exchange?.complete(error)
  }
}
