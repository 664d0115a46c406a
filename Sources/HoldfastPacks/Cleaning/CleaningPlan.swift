import HoldfastFiles

/// The decision about which generations are removed.
///
/// It is pure: it is made from what is known of the folder, and does nothing itself.
struct CleaningPlan: Hashable, Sendable {
  /// The facts about a generation that decide whether it is kept.
  struct Use: Hashable, Sendable {
    /// The name of the generation.
    var name: String
    /// The leases with their standing.
    var leases: [LeaseFolder.Use] = []
    /// Whether this process has one of its files open; `nil` when the system does not say.
    var isOpenHere: Bool? = false
  }

  /// The generations to remove.
  var removed: [String] = []

  /// The generations to keep.
  var kept: [CleaningReport.Kept] = []

  /// Decides which generations are removed.
  ///
  /// - Parameters:
  ///   - uses: The generations in the folder.
  ///   - current: The folder's statement about its current generation; without it, everything is
  ///     kept.
  init(_ uses: [Use], current: CurrentFile) {
    for use in uses {
      if let reason = Self.reason(of: use, current) {
        kept.append(CleaningReport.Kept(name: use.name, reason: reason))
      } else {
        removed.append(use.name)
      }
    }
  }

  /// Returns why a generation is kept; `nil` when nothing needs it.
  ///
  /// Without `current`, the pack of an older edition is removed.
  static func reason(of use: Use, _ current: CurrentFile?) -> CleaningReport.Reason? {
    let need = GenerationNeed(
      of: use.name, current: current?.generation, previous: current?.previous, use.leases)
    return switch need {
    case .current: .current
    case .previous: .previous
    case .held(let lease): .leased(role: lease.role, process: lease.process.number)
    case .mayBeHeld(let lease): .unknownLease(role: lease.role, process: lease.process.number)
    // Without an answer, a file may be open.
    case nil: use.isOpenHere == false ? nil : .openHere
    }
  }
}
