import HoldfastFiles

extension PackStore {
  /// A control that stops work that blocks a thread.
  struct WorkControl {
    /// Whether the work waits for the end of a suspension.
    var waitsForResume: Bool
    /// Whether the task of the work was cancelled.
    var isCancelled: () -> Bool = { false }

    /// The same for work that can be done later, and does not wait for the end of a suspension.
    var withoutWaiting: WorkControl {
      WorkControl(waitsForResume: false, isCancelled: isCancelled)
    }
  }

  /// Runs a closure while no other process changes a pack's folder, again if a suspension has
  /// released the lock meanwhile.
  ///
  /// - Throws: ``PackError`` with `.suspended`; `FileError` with `.busy` after the store's limit, or
  ///   when the lock cannot be created; `CancellationError`; whatever `body` throws.
  func locked<Value>(
    _ folder: PackFolder, _ control: WorkControl, within limit: Duration? = nil,
    _ body: (InstallingLock) throws -> Value
  ) throws -> Value {
    while true {
      do {
        let lock = try acquire(folder, control, within: limit ?? configuration.waitLimit)
        defer { lock.end() }
        return try body(lock)
      } catch let error as PackError where error.code == .suspended && control.waitsForResume {
        try waitForResume(control)
      }
    }
  }

  /// Removes the lock of a process that ended while it held it, and leaves any other one.
  func removeLeftLock(of folder: PackFolder) {
    do {
      if try folder.lock.exists() { try suspension.attempt(folder.lock)?.end() }
    } catch {
      // An empty file harms nothing, and work that needs the lock says what is wrong with another one.
    }
  }

  private func acquire(
    _ folder: PackFolder, _ control: WorkControl, within limit: Duration
  ) throws -> InstallingLock {
    var wait = LockWait(upTo: limit)
    while true {
      if control.isCancelled() { throw CancellationError() }
      if let lock = try suspension.attempt(folder.lock) { return lock }
      guard wait.pause() else { throw FileError.busy(folder.path, waited: limit) }
    }
  }

  private func waitForResume(_ control: WorkControl) throws {
    while suspension.isSuspended {
      if control.isCancelled() { throw CancellationError() }
      // A suspended process does not run, so this costs nothing while the app is in the background.
      SystemCalls.sleep(milliseconds: 16)
    }
  }

  /// Runs blocking work outside the threads of tasks.
  func awaited<Value: Sendable>(
    _ body: @escaping @Sendable (WorkControl) throws -> Value
  ) async throws -> Value {
    try await BlockingWork(on: queue).run { isCancelled in
      try body(WorkControl(waitsForResume: true, isCancelled: isCancelled))
    }
  }
}
