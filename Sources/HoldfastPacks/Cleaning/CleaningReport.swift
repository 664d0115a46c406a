/// A report of what a clean-up removed, and what it kept and why.
public struct CleaningReport: Hashable, Sendable {
  /// The reason something was kept.
  public enum Reason: Hashable, Sendable {
    /// It is the current generation.
    case current
    /// It is the generation that was current before.
    case previous
    /// A process of this role uses it.
    case leased(role: String, process: Int32)
    /// A process of this role used it, and whether it runs is unknown until the system's next start.
    case unknownLease(role: String, process: Int32)
    /// This process has one of its files open.
    case openHere
    /// It is an app's or a user's file.
    case foreign
    /// It is the user's own data.
    case seeded
    /// The rules of the store keep it.
    case policy
    /// It could not be examined or removed, for this reason.
    case failed(String)
  }

  /// Something that was kept.
  public struct Kept: Hashable, Sendable {
    /// The name in the pack's folder, after the folder's own name and a `/` in another edition.
    public var name: String
    /// The reason it was kept.
    public var reason: Reason

    package init(name: String, reason: Reason) {
      self.name = name
      self.reason = reason
    }
  }

  /// The names that were removed.
  public var removed: [String] = []

  /// The items that were kept.
  public var kept: [Kept] = []

  /// The reason the clean-up was not completed; `nil` when it was.
  public var problem: String?

  package init(problem: String? = nil) {
    self.problem = problem
  }
}
