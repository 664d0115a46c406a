import HoldfastSQLite

// A suspension ends all locks of a database immediately; an access after the resume takes locks
// again.

extension DatabaseWriter {
  /// Ends every lock of this database, whatever runs, and refuses accesses until ``resume()``.
  ///
  /// Statements, checkpoints, backups and waits for locks are interrupted. Transactions are rolled
  /// back, even those that are open while the app's code does something else: every later call of
  /// their access throws. Reads and snapshots end. All connections are closed; no checkpoint is
  /// made. The content of a single connection, such as temporary tables, is lost.
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
  /// It may be called on any thread, even inside an access. App code in an access that is not
  /// inside SQLite is not waited for, but what runs inside SQLite is: a COMMIT that syncs, a custom
  /// function, the decoding of a row, a backup's `progress`. Such code must not call this method,
  /// nor wait for the thread that calls it. A database in memory is not affected. Nor is another
  /// queue or pool of this process on the same file: it keeps its locks, which the report lists,
  /// and its observers are still notified of the commits of other connections.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameter limit: The maximum wait; operations that take longer are listed in the report, and
  ///   end as soon as they can.
  /// - Returns: The accesses that were ended, and the locks that remain.
  @available(
    *, noasync,
    message:
      "Write `await suspend(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  @discardableResult
  public func suspend(within limit: Duration = .seconds(1)) -> SuspensionReport {
    suspension?.suspend(within: limit) ?? SuspensionReport()
  }

  /// Ends every lock of this database while the task is suspended, as the blocking form does.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameter limit: The maximum wait; operations that take longer are listed in the report, and
  ///   end as soon as they can.
  /// - Returns: The accesses that were ended, and the locks that remain.
  @discardableResult
  public func suspend(within limit: Duration = .seconds(1)) async -> SuspensionReport {
    await suspension?.suspendAwaited(within: limit) ?? SuspensionReport()
  }

  /// Allows accesses to the database again; observations fetch their values again.
  ///
  /// No connection is opened until the next access.
  public func resume() {
    suspension?.resume()
  }

  /// Whether the database is suspended, so that accesses outside of a lease are refused or wait.
  public var isSuspended: Bool {
    connectionPool?.suspension.map { !$0.isResumed } ?? false
  }

  /// Registers a lock that a suspension of this database ends.
  ///
  /// A database that cannot be suspended keeps no list. The lock is not kept alive.
  package func endOnSuspension(_ lock: any SuspendableLock) {
    connectionPool?.suspension?.add(lock)
  }

  /// The suspension; `nil` for a database in memory.
  private var suspension: Suspension? {
    guard let pool = connectionPool, path != nil else { return nil }
    guard let suspension = pool.suspension else {
      Misuse.trap(Misuse.notSuspendable)
    }
    return suspension
  }

  // MARK: - Leases

  /// Runs the closure, which may use the database even while it is suspended.
  ///
  /// For work that the system allows in the background. Leases are independent of each other, which
  /// a resume and a suspension for each piece of work would not be. Accesses belong to the lease if
  /// the closure or a task that it creates makes them. When the last lease of a suspended database
  /// ends, its connections are closed. A suspension ends all leases.
  ///
  /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
  /// - Parameters:
  ///   - limit: The maximum wait, at the end, for operations that cannot be interrupted.
  ///   - work: The work.
  /// - Returns: The return value of `work`.
  /// - Throws: Whatever `work` throws.
  @available(
    *, noasync,
    message:
      "Write `try await withBackgroundLease { … }`; at the top level of main.swift, in a function."
  )
  public func withBackgroundLease<Value>(
    endingWithin limit: Duration = .seconds(1), _ work: () throws -> Value
  ) rethrows -> Value {
    guard let suspension else { return try work() }
    let lease = suspension.beginLease()
    defer { _ = suspension.endLease(lease, within: limit) }
    return try BackgroundLease.$current.withValue(
      BackgroundLease.adding(lease, of: suspension), operation: work)
  }

  /// Runs the closure, which may use the database even while it is suspended, as the blocking form
  /// does.
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
