import Synchronization

/// The leases of a store that could not be recorded, while they live.
final class UnrecordedLeases: Sendable {
  private struct Member {
    weak var lease: GenerationLease?
  }

  private let members = Mutex<[Member]>([])

  /// Adds a lease if it is not recorded.
  func add(_ lease: GenerationLease) {
    guard lease.problem != nil else { return }
    members.withLock { $0.append(Member(lease: lease)) }
  }

  /// Tries to record the leases, and returns those that still are not.
  @discardableResult func recordAgain() -> [GenerationLease] {
    members.withLock { members in
      let leases = members.compactMap(\.lease)
      for lease in leases { lease.recordAgain() }
      let left = leases.filter { $0.problem != nil }
      members = left.map { Member(lease: $0) }
      return left
    }
  }
}
