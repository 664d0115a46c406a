import HoldfastSQLite

// A database that can be suspended: all of its locks end at once, and come back when it is used
// after the resume.

extension DatabaseWriter {
  /// Ends every lock of this database, whatever runs, and refuses accesses until ``resume()``.
  ///
  /// Statements, checkpoints, backups and waits for locks are interrupted. Transactions are rolled
  /// back, also those that are open while the app's code does something else: every later call of
  /// their access throws. Readers and snapshots end. All connections are closed; no checkpoint is
  /// made. What is in the database for one connection only, such as temporary tables, is lost.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.allowsSuspension = true
  /// let pool = try DatabasePool(path: path, configuration: configuration)
  /// let report = pool.suspend(within: .seconds(1))
  /// print(report)
  /// pool.resume()
  /// ```
  ///
  /// It may be called on any thread, inside of an access too. Code of the app's that idles in an
  /// access is not waited for, but what runs inside of SQLite is: a COMMIT that syncs, a custom
  /// function, the decoding of a row, a backup's `progress`. There it must not be called, nor may
  /// such code wait for the thread that calls it. A database in memory is left as it is. So is another queue or pool of this process
  /// on the same file: it keeps its locks, which the report lists, and is told what others commit.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameter limit: How long is waited at most; what takes longer is named in the report, and
  ///   ends as soon as it can.
  /// - Returns: What was ended, and what was left.
  @available(*, noasync, message: "Write `await suspend(…)`, which blocks no thread.")
  @discardableResult
  public func suspend(within limit: Duration = .seconds(1)) -> SuspensionReport {
    suspension?.suspend(within: limit) ?? SuspensionReport()
  }

  /// Ends every lock of this database while the task is suspended, as the blocking form does.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameter limit: How long is waited at most; what takes longer is named in the report, and
  ///   ends as soon as it can.
  /// - Returns: What was ended, and what was left.
  @discardableResult
  public func suspend(within limit: Duration = .seconds(1)) async -> SuspensionReport {
    await suspension?.suspendAwaited(within: limit) ?? SuspensionReport()
  }

  /// Lets everybody use the database again; observations look at it anew.
  ///
  /// It opens nothing: the next access does.
  public func resume() {
    suspension?.resume()
  }

  /// Whether the database is suspended, so that accesses outside of a lease are refused or wait.
  public var isSuspended: Bool {
    connectionPool?.suspension.map { !$0.isResumed } ?? false
  }

  /// `nil` for a database in memory.
  private var suspension: Suspension? {
    guard let pool = connectionPool, path != nil else { return nil }
    guard let suspension = pool.suspension else {
      Misuse.trap(Misuse.notSuspendable)
    }
    return suspension
  }

  // MARK: - Leases

  /// Runs the closure while the database may be used inside of it, whether it is suspended or not.
  ///
  /// For work that the system lets run in the background: one piece of work depends on no other, as
  /// it would if each resumed and suspended the database for all. Accesses belong to the lease when
  /// the closure makes them, or a task that it creates does. When the last lease of a suspended
  /// database ends, its connections are closed. A suspension ends all leases.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameters:
  ///   - limit: How long is waited at the end for what cannot be interrupted.
  ///   - work: The work.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  @available(*, noasync, message: "Write `try await withBackgroundLease { … }`.")
  public func withBackgroundLease<Value>(
    endingWithin limit: Duration = .seconds(1), _ work: () throws -> Value
  ) rethrows -> Value {
    guard let suspension else { return try work() }
    let lease = suspension.beginLease()
    defer { _ = suspension.endLease(lease, within: limit) }
    return try BackgroundLease.$current.withValue(
      BackgroundLease.adding(lease, of: suspension), operation: work)
  }

  /// Runs the closure while the database may be used inside of it, as the blocking form does.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameters:
  ///   - limit: How long is waited at the end for what cannot be interrupted.
  ///   - work: The work.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws.
  public func withBackgroundLease<Value>(
    endingWithin limit: Duration = .seconds(1), _ work: () async throws -> Value
  ) async rethrows -> Value {
    guard let suspension else { return try await work() }
    let lease = suspension.beginLease()
    let value: Value
    do {
      value = try await BackgroundLease.$current.withValue(
        BackgroundLease.adding(lease, of: suspension), operation: work)
    } catch {
      await suspension.endLeaseAwaited(lease, within: limit)
      throw error
    }
    await suspension.endLeaseAwaited(lease, within: limit)
    return value
  }
}
