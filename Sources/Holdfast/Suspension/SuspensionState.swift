/// Whether a database may be used, and by whom: a pure state machine.
///
/// A database is active, or suspended; while it is suspended, leases may each let their own accesses
/// in. What it answers is done by its owner after the lock is released.
package struct SuspensionState<Connection: Hashable, Waiter: Equatable> {
  /// The name of a lease.
  package typealias Lease = Int

  /// What an access may do.
  package enum Admission: Hashable, Sendable {
    /// Everything.
    case granted
    /// Reading, on a connection that is closed right after.
    case reading
    /// Nothing: the database is suspended.
    case refused
  }

  /// Whether the app said that the database may be used.
  package private(set) var isResumed = true

  /// Whether whoever comes while the database is suspended may read.
  private let allowsReading: Bool

  private var leases: Set<Lease> = []
  private var lastLease: Lease = 0
  private var connections: Set<Connection> = []
  private var waiters: [Waiter] = []

  /// Creates an active database without connections.
  ///
  /// - Parameter allowsReading: Whether a suspended one may be read all the same.
  package init(allowsReading: Bool = false) {
    self.allowsReading = allowsReading
  }

  /// How many connections are open.
  package var connectionCount: Int { connections.count }

  /// How many wait for the resume.
  package var waitingCount: Int { waiters.count }

  // MARK: - Accesses

  /// Says what an access may do now.
  ///
  /// - Parameter lease: The lease in which it runs.
  /// - Returns: What it may do.
  package func admission(in lease: Lease?) -> Admission {
    if isResumed { return .granted }
    if let lease, leases.contains(lease) { return .granted }
    return allowsReading ? .reading : .refused
  }

  /// Takes down a connection that was opened for an access.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - lease: The lease in which the access runs.
  ///   - isForReading: Whether it may only read and is closed right after; one that may do
  ///     everything was let in before the suspension.
  /// - Returns: False when it must be closed again, because the database was suspended meanwhile.
  package mutating func open(
    _ connection: Connection, in lease: Lease?, isForReading: Bool = false
  ) -> Bool {
    switch admission(in: lease) {
    case .granted: break
    case .reading where isForReading: break
    case .reading, .refused: return false
    }
    connections.insert(connection)
    return true
  }

  /// Strikes out a connection that is closed.
  package mutating func close(_ connection: Connection) {
    connections.remove(connection)
  }

  // MARK: - Suspending and resuming

  /// Suspends the database and ends all leases.
  package mutating func suspend() {
    isResumed = false
    leases = []
  }

  /// The connections that a suspension ends; none when the database was resumed meanwhile.
  package var connectionsToEnd: [Connection] { isResumed ? [] : Array(connections) }

  /// Makes the database active again.
  ///
  /// - Returns: The waiters, in the order in which they came; `nil` when it was active already.
  package mutating func resume() -> [Waiter]? {
    guard !isResumed else { return nil }
    isResumed = true
    defer { waiters = [] }
    return waiters
  }

  /// Begins a lease.
  package mutating func beginLease() -> Lease {
    lastLease += 1
    leases.insert(lastLease)
    return lastLease
  }

  /// Ends a lease.
  ///
  /// - Returns: The connections to end, when it was the last lease of a suspended database.
  package mutating func endLease(_ lease: Lease) -> [Connection] {
    guard leases.remove(lease) != nil, leases.isEmpty, !isResumed else { return [] }
    return Array(connections)
  }

  // MARK: - Waiting

  /// Puts one who was refused in line for the resume.
  ///
  /// - Returns: False when there is nothing to wait for any more.
  package mutating func wait(_ waiter: Waiter) -> Bool {
    guard !isResumed else { return false }
    waiters.append(waiter)
    return true
  }

  /// Takes a waiter out of the line; false when it did not stand there.
  package mutating func leave(_ waiter: Waiter) -> Bool {
    guard let index = waiters.firstIndex(of: waiter) else { return false }
    waiters.remove(at: index)
    return true
  }
}
