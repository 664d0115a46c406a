public import HoldfastFiles
import Synchronization

/// A generation that stays in its folder while this value lives, also after a newer one is current.
///
/// It is no lock: it survives a suspension and does not keep another process from anything but
/// removing the generation. It ends with the process, however the process ends.
public final class GenerationLease: Sendable {
  /// The generation.
  public let generation: Generation

  /// The reason the lease is not recorded, as on a full disk; `nil` when it is.
  ///
  /// Without a record, another process may remove the generation once it is no longer current. The
  /// store tries again whenever it holds a generation.
  public var problem: FileError? { unrecorded.withLock { $0 } }

  // Locked while the lease is recorded, so that it is recorded once.
  private let unrecorded = Mutex<FileError?>(nil)
  private let leases: LeaseFolder
  private let role: LeaseRole
  private let lease: Lease

  init(_ generation: Generation, in leases: LeaseFolder, for role: LeaseRole) {
    self.generation = generation
    self.leases = leases
    self.role = role
    lease = LeaseFolder.lease(generation.name, for: role.name)
    unrecorded.withLock { $0 = record() }
  }

  /// Records the lease, unless it is recorded.
  func recordAgain() {
    unrecorded.withLock { problem in
      if problem != nil { problem = record() }
    }
  }

  private func record() -> FileError? {
    do throws(FileError) {
      try leases.record(lease, isOnlyOne: role.count == .one)
      return nil
    } catch {
      Log.report(
        .error, .packs,
        "The use of generation '\(generation.name)' was not recorded: \(error.code)")
      return error
    }
  }

  deinit {
    if problem == nil { leases.release(lease) }
  }
}
