import HoldfastSQLite

/// The leases in which the current task or thread uses databases.
enum BackgroundLease {
  /// The lease of each database, keyed by its suspension.
  @TaskLocal static var current: [ObjectIdentifier: Suspension.State.Lease] = [:]

  /// Returns the current leases with one more.
  static func adding(
    _ lease: Suspension.State.Lease, of suspension: Suspension
  ) -> [ObjectIdentifier: Suspension.State.Lease] {
    var leases = current
    leases[ObjectIdentifier(suspension)] = lease
    return leases
  }
}
