import Foundation
public import Holdfast
import HoldfastFiles
import Synchronization

/// The suspension of a store: releases its locks at once, and says when work may continue.
final class StoreSuspension: SuspendableLock {
  private struct State {
    var isSuspended = false
    var locks: [Member] = []
    var writers: [Writer] = []
  }

  private struct Member {
    weak var lock: (any SuspendableLock)?
  }

  private struct Writer {
    weak var writer: (any DatabaseWriter)?
  }

  // Locked while a lock is taken, so that a suspension happens before or after.
  private let state = Mutex(State())
  private let tokens = Mutex<[any NSObjectProtocol]>([])

  deinit {
    tokens.withLock { tokens in
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }

  /// Suspends and resumes the store with the scheduler's databases.
  func followScheduler() {
    observe(DatabaseBackgroundScheduler.databaseWillSuspendNotification) { $0.suspend() }
    observe(DatabaseBackgroundScheduler.databaseDidResumeNotification) { $0.resume() }
  }

  private func observe(
    _ name: Notification.Name, _ happen: @escaping @Sendable (StoreSuspension) -> Void
  ) {
    tokens.withLock { tokens in
      tokens.append(
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
          [weak self] _ in
          if let self { happen(self) }
        })
    }
  }

  /// Registers a database whose suspension releases the store's locks.
  func follow(_ writer: any DatabaseWriter) {
    state.withLock { state in
      state.writers.removeAll { $0.writer == nil || $0.writer === writer }
      state.writers.append(Writer(writer: writer))
    }
    writer.endOnSuspension(self)
  }

  func suspend() {
    state.withLock { state in
      state.isSuspended = true
      Self.endLocks(&state)
    }
  }

  func resume() {
    state.withLock { $0.isSuspended = false }
  }

  @discardableResult func end() -> Bool {
    state.withLock { state in Self.endLocks(&state) }
  }

  @discardableResult private static func endLocks(_ state: inout State) -> Bool {
    defer { state.locks = [] }
    return state.locks.map { $0.lock?.end() ?? false }.contains(true)
  }

  /// Whether the store, or a database that it follows, is suspended.
  var isSuspended: Bool { state.withLock { Self.isSuspended($0) } }

  private static func isSuspended(_ state: State) -> Bool {
    state.isSuspended || state.writers.contains { $0.writer?.isSuspended ?? false }
  }

  /// Tries once to take a lock; `nil` when another process holds it.
  ///
  /// - Throws: ``PackError`` with `.suspended`; `FileError` when the lock cannot be created.
  func attempt(_ path: FilePath) throws -> InstallingLock? {
    try state.withLock { state in
      guard !Self.isSuspended(state) else { throw PackError.suspended(path.directory) }
      do throws(FileError) {
        let lock = InstallingLock(try FileLock(path, guarding: nil, waitingUpTo: .zero), at: path)
        state.locks.removeAll { $0.lock == nil }
        state.locks.append(Member(lock: lock))
        return lock
      } catch {
        if error.code == .busy { return nil }
        throw error
      }
    }
  }
}

extension StoreSuspension {
  /// Registers a lock that a suspension ends, after those that were registered before.
  ///
  /// - Throws: ``PackError`` with `.suspended`.
  func add(_ lock: any SuspendableLock, of path: FilePath) throws {
    try state.withLock { state in
      guard !Self.isSuspended(state) else { throw PackError.suspended(path) }
      state.locks.removeAll { $0.lock == nil }
      state.locks.append(Member(lock: lock))
    }
  }
}

extension PackStore {
  /// Releases the locks of this store when a database is suspended, and lets work wait until it is
  /// resumed.
  ///
  /// An installation that runs is done again after the resume.
  ///
  /// - Parameter writer: A database whose configuration allows suspension.
  public func endLocksOnSuspension(of writer: any DatabaseWriter) {
    suspension.follow(writer)
  }

  /// Releases the locks of this store at once, and takes none until ``resume()``.
  ///
  /// Leases stay: they are no locks. It may be called on any thread; it waits for one step of an
  /// installation at most, such as a rename and its sync.
  public func suspend() {
    suspension.suspend()
  }

  /// Allows the store to take locks again; an installation that was interrupted is done again.
  public func resume() {
    suspension.resume()
  }
}
