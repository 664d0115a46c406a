#if canImport(Darwin)
  import Foundation
  import HoldfastFiles
  import Synchronization

  // Where this is type-checked against stubs, URLSession has a module of its own.
  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Downloads that the system continues while the app is suspended or ended.
  ///
  /// The system fetches the content; a ``Downloader`` checks, renames and records it. Create it with
  /// the same identifier at each launch, before the app handles the events of the session.
  ///
  /// ```swift
  /// let background = BackgroundDownloads("org.example.books", completedBy: downloader) { request, error in
  ///   show(error, for: request.id)
  /// }
  /// try background.start(request)
  /// ```
  ///
  /// - SeeAlso: <https://developer.apple.com/documentation/foundation/downloading-files-in-the-background>
  public final class BackgroundDownloads: Sendable {
    private let session: URLSession
    private let delegate: BackgroundDelegate

    /// Connects with the system's session of this identifier.
    ///
    /// - Parameters:
    ///   - identifier: The identifier, the same at each launch and unique in the app.
    ///   - downloader: The downloader that completes the files.
    ///   - fail: Called with a request and the error when the system could not fetch the content, or
    ///     the downloader did not complete it.
    public init(
      _ identifier: String, completedBy downloader: Downloader,
      fail: @escaping @Sendable (DownloadRequest, any Error) -> Void
    ) {
      delegate = BackgroundDelegate(downloader, fail: fail)
      let settings = URLSessionConfiguration.background(withIdentifier: identifier)
      settings.sessionSendsLaunchEvents = true
      session = URLSession(configuration: settings, delegate: delegate, delegateQueue: nil)
    }

    /// Starts a download, which outlives the process.
    ///
    /// - Parameter request: The request; its fields are stored by the system.
    /// - Throws: ``DownloadError`` with `.invalidRequest`.
    public func start(_ request: DownloadRequest) throws(DownloadError) {
      try request.validate()
      var fields = URLRequest(url: request.url)
      for (name, value) in request.headers { fields.setValue(value, forHTTPHeaderField: name) }
      fields.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      let task = session.downloadTask(with: fields)
      task.taskDescription = JournalEntry(request).text
      task.resume()
    }

    /// Calls the app's completion handler when all files of this launch are recorded.
    ///
    /// Call it in `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// - Parameter completionHandler: The handler that the system passes to the app.
    public func handleEvents(_ completionHandler: @escaping @MainActor @Sendable () -> Void) {
      delegate.setCompletionHandler(completionHandler)
    }
  }

  /// The delegate, which hands each finished file to the downloader.
  final class BackgroundDelegate: NSObject, URLSessionDownloadDelegate, Sendable {
    private struct State {
      var downloads: [Download] = []
      var completionHandler: (@MainActor @Sendable () -> Void)?
    }

    private let downloader: Downloader
    private let fail: @Sendable (DownloadRequest, any Error) -> Void
    private let state = Mutex(State())

    init(
      _ downloader: Downloader, fail: @escaping @Sendable (DownloadRequest, any Error) -> Void
    ) {
      self.downloader = downloader
      self.fail = fail
    }

    private func request(of task: URLSessionTask) -> DownloadRequest? {
      task.taskDescription.flatMap(JournalEntry.init(text:))?.request
    }

    func setCompletionHandler(_ handler: @escaping @MainActor @Sendable () -> Void) {
      state.withLock { $0.completionHandler = handler }
    }

    func urlSession(
      _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo file: URL
    ) {
      guard let request = request(of: downloadTask) else {
        return Log.report(.error, .downloads, "a file of a task without a request was dropped")
      }
      do {
        let download = try downloader.start(
          request, withFileAt: file, response: downloadTask.response)
        state.withLock { $0.downloads.append(download) }
        Task { [fail] in
          do { _ = try await download.value() } catch { fail(request, error) }
        }
      } catch {
        Log.report(.error, .downloads, "a file was refused: \(error.code)")
        fail(request, error)
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      // Without an error, the file was handed over before.
      guard let error else { return }
      Log.report(.error, .downloads, "a background transfer failed: \(Log.kind(of: error))")
      guard let request = request(of: task) else { return }
      fail(request, DownloadError.network(error))
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
      let (downloads, handler) = state.withLock { state in
        defer { state = State() }
        return (state.downloads, state.completionHandler)
      }
      Task {
        for download in downloads { for await _ in download.progress {} }
        await handler?()
      }
    }
  }
#endif
