public import HoldfastFiles

/// A generation that stays in its folder while this value lives, also after a newer one is current.
///
/// It is no lock: it survives a suspension and does not keep another process from anything but
/// removing the generation. It ends with the process, however the process ends.
public final class GenerationLease: Sendable {
  /// The generation.
  public let generation: Generation

  /// Why the lease is not recorded, as on a full disk; `nil` when it is.
  ///
  /// Without a record, another process may remove the generation once it is no longer current.
  public let problem: FileError?

  private let leases: LeaseFolder
  private let lease: Lease

  init(_ generation: Generation, in leases: LeaseFolder, for role: LeaseRole) {
    self.generation = generation
    self.leases = leases
    lease = LeaseFolder.lease(generation.name, for: role)
    do throws(FileError) {
      try leases.record(lease, for: role)
      problem = nil
    } catch {
      problem = error
      Log.report(
        .error, .packs,
        "The use of generation '\(generation.name)' was not recorded: \(error.code)")
    }
  }

  deinit {
    if problem == nil { leases.release(lease) }
  }
}
