/// The state of a database that can be suspended, its leases and waiters: a pure state machine.
///
/// A database is active or suspended; while it is suspended, each lease may admit its own accesses.
/// The owner carries out what a transition returns after it has released its lock.
package struct SuspensionState<Connection: Hashable, Waiter: Equatable> {
  /// The number that identifies a lease.
  package typealias Lease = Int

  /// The permission of an access.
  package enum Admission: Hashable, Sendable {
    /// The access may read and write.
    case granted
    /// The access may read, on a connection that is closed immediately afterwards.
    case reading
    /// The access is refused, because the database is suspended.
    case refused
  }

  /// Whether the database is active: never suspended, or resumed since.
  package private(set) var isResumed = true

  /// Whether accesses outside leases may read while the database is suspended.
  private let allowsReading: Bool

  private var leases: Set<Lease> = []
  private var lastLease: Lease = 0
  private var connections: Set<Connection> = []
  private var waiters: [Waiter] = []

  /// Creates an active database without connections.
  ///
  /// - Parameter allowsReading: Whether the database may be read while it is suspended.
  package init(allowsReading: Bool = false) {
    self.allowsReading = allowsReading
  }

  /// The number of open connections.
  package var connectionCount: Int { connections.count }

  /// The number of waiters for the resume.
  package var waitingCount: Int { waiters.count }

  // MARK: - Accesses

  /// Returns what an access may do now.
  ///
  /// - Parameter lease: The lease in which it runs.
  /// - Returns: `.granted` when the database is active or the lease is one that has not ended,
  ///   `.reading` when reads are allowed, otherwise `.refused`.
  package func admission(in lease: Lease?) -> Admission {
    if isResumed { return .granted }
    if let lease, leases.contains(lease) { return .granted }
    return allowsReading ? .reading : .refused
  }

  /// Registers a connection that was opened for an access.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - lease: The lease in which the access runs.
  ///   - isForReading: Whether the connection may only read and is closed immediately afterwards;
  ///     an access with full permission was admitted before the suspension.
  /// - Returns: `false` if it must be closed again, because the database was suspended meanwhile.
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

  /// Removes a closed connection.
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
  /// - Returns: The waiters, first in first out; `nil` if the database was active already.
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
  /// - Returns: The connections to end, if this was the last lease of a suspended database.
  package mutating func endLease(_ lease: Lease) -> [Connection] {
    guard leases.remove(lease) != nil, leases.isEmpty, !isResumed else { return [] }
    return Array(connections)
  }

  // MARK: - Waiting

  /// Adds a waiter that was refused to the queue for the resume.
  ///
  /// - Returns: `false` if the database is active, so that there is no resume to wait for.
  package mutating func wait(_ waiter: Waiter) -> Bool {
    guard !isResumed else { return false }
    waiters.append(waiter)
    return true
  }

  /// Removes a waiter from the queue; returns `false` if it was not in it.
  package mutating func leave(_ waiter: Waiter) -> Bool {
    guard let index = waiters.firstIndex(of: waiter) else { return false }
    waiters.remove(at: index)
    return true
  }
}
