#if canImport(Darwin) && !os(macOS)
  import Foundation
  import HoldfastSQLite

  extension DatabaseWriter {
    /// Runs the closure in a lease, in time that the system grants an extension or an app.
    ///
    /// When the time is nearly over the database is suspended, which ends the closure's accesses:
    /// their calls throw. The database stays suspended for accesses outside leases until
    /// ``resume()``.
    ///
    /// ```swift
    /// try await pool.performExpiringActivity(withReason: "Saving the reply") {
    ///   try pool.write { db in try reply.insert(db) }
    /// }
    /// ```
    ///
    /// - Precondition: The configuration allows it: `Configuration.allowsSuspension`.
    /// - Parameters:
    ///   - reason: The purpose of the work, for the system's logs.
    ///   - work: The work; it runs on a thread of the system, which it may block.
    /// - Returns: The return value of `work`.
    /// - Throws: `DatabaseError` with `SQLITE_ABORT` when there is no time; whatever `work` throws.
    /// - SeeAlso: <https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)>
    public func performExpiringActivity<Value: Sendable>(
      withReason reason: String, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
      try await withCheckedThrowingContinuation { continuation in
        let work = ExpiringWork(on: self, work) { continuation.resume(with: $0) }
        ProcessInfo.processInfo.performExpiringActivity(withReason: reason) { isExpiring in
          work(isExpiring: isExpiring)
        }
      }
    }
  }
#endif
