import Dispatch
import Synchronization

/// The events of downloads, and what follows from them.
///
/// They are handled one after the other on a queue of their own, soon after they are reported.
extension Downloader {
  // MARK: - Reporting

  /// Lets a download begin.
  func start(_ download: Download) {
    events.async {
      if self.change(download, { $0.start() }) { self.enqueue(download) }
    }
  }

  /// Notes that all bytes of a download are there.
  func completeContent(of download: Download) {
    events.async { self.change(download) { $0.completeContent() } }
  }

  /// Ends the attempt of a download.
  func endAttempt(of download: Download, _ outcome: DownloadMachine.Outcome) {
    events.async {
      guard let next = self.change(download, { $0.endAttempt(outcome) }) else { return }
      self.leaveQueue(download)
      self.perform(next, of: download)
    }
  }

  /// Pauses, cancels or closes a download.
  func demand(_ demand: DownloadMachine.Demand, of download: Download) {
    events.async {
      switch self.change(download, { $0.demand(demand) }) {
      case .ignored: break
      case .stopAttempt: download.retryState.withState { $0.attempt }?.cancel()
      case .effective(let wait, let next):
        switch wait {
        case .queue: self.leaveQueue(download)
        case .retry: download.retryState.withState { $0.retry }?.cancel()
        case nil: break
        }
        self.perform(next, of: download)
      }
    }
  }

  /// Takes the pause of a download back.
  func resume(_ download: Download) {
    events.async {
      if self.change(download, { $0.resume() }) { self.enqueue(download) }
    }
  }

  private func endRetryDelay(of download: Download) {
    events.async {
      if self.change(download, { $0.endRetryDelay() }) { self.enqueue(download) }
    }
  }

  private func endRemoval(of download: Download, _ outcome: DownloadMachine.RemovalOutcome) {
    events.async {
      guard let completion = self.change(download, { $0.endRemoval(outcome) }) else { return }
      self.complete(download, completion)
    }
  }

  // MARK: - Handling

  @discardableResult
  private func change<Answer: Sendable>(
    _ download: Download, _ event: (inout DownloadMachine) -> Answer
  ) -> Answer {
    let (answer, state) = download.retryState.withState { state in
      (event(&state.machine), state.machine.state)
    }
    if !state.isFinal { download.setState(state) }
    return answer
  }

  private func perform(_ next: DownloadMachine.Next, of download: Download) {
    switch next {
    case .pause: break
    case .enqueue: enqueue(download)
    case .retry(let delay):
      let retry = Task {
        // A cancelled wait ends without an event.
        guard (try? await Task.sleep(for: delay)) != nil else { return }
        self.endRetryDelay(of: download)
      }
      download.retryState.withState { $0.retry = retry }
    case .remove: remove(download)
    case .complete(let completion): complete(download, completion)
    }
  }

  private func enqueue(_ download: Download) {
    admit(
      table.withLock {
        $0.queue.enqueue(
          download.key, host: download.request.host, priority: download.request.priority)
      })
  }

  private func leaveQueue(_ download: Download) {
    admit(table.withLock { $0.queue.leave(download.key) })
  }

  private func admit(_ keys: [DownloadKey]) {
    for key in keys {
      guard let download = table.withLock({ $0.chains[key]?.first }) else {
        admit(table.withLock { $0.queue.leave(key) })
        continue
      }
      guard change(download, { $0.admit() }) else {
        leaveQueue(download)
        continue
      }
      let attempt = Task { await DownloadAttempt(download, in: self).run() }
      download.retryState.withState { $0.attempt = attempt }
    }
  }

  private func remove(_ download: Download) {
    Task {
      do {
        let file = try await removal.remove(download.key)
        // An earlier download of the id may have left another one.
        guard let file, file.destination == download.request.destination,
          file.source == download.request.url
        else { return endRemoval(of: download, .removed) }
        download.setReceived(file.byteCount, of: file.byteCount)
        download.setResult(.success(file))
        endRemoval(of: download, .recorded)
      } catch {
        download.setResult(.failure(error))
        endRemoval(of: download, .notRemoved)
      }
    }
  }

  private func complete(_ download: Download, _ completion: DownloadMachine.Completion) {
    switch completion {
    case .file: break  // The attempt or the removal has set the result.
    case .error:
      let failure = download.retryState.withState { $0.failure }
      download.setResult(.failure(failure ?? DownloadError.cancelled(download.id)))
    case .cancelled: download.setResult(.failure(DownloadError.cancelled(download.id)))
    case .closed: download.setResult(.failure(DownloadError.closed(download.id)))
    }
    if let handed = download.retryState.withState({ $0.handed.take() }) {
      withFault { handed.drop() }
    }
    table.withLock { $0.remove(download) }
    download.setState(download.retryState.withState { $0.machine.state })
    startFirst(of: download.key)
  }
}
