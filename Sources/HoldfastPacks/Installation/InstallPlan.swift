/// The decision about what an installation does.
///
/// It is pure: it is made from what is known of the folder, of the offered pack and of the app's
/// rules, and does nothing itself.
package enum InstallPlan: Hashable, Sendable {
  /// The reason the current generation stays.
  package enum KeepReason: String, Hashable, Sendable {
    /// It is the offered one.
    case same
    /// It was downloaded, and what the bundle offers is not newer.
    case downloaded
    /// The app has left the offered one, by a rollback or a switch.
    case rolledBack
  }

  /// The reason a generation becomes the current one.
  package enum Reason: Hashable, Sendable {
    /// There was no current generation.
    case first
    /// The offered version is higher than a generation's.
    case upgrade(from: String)
    /// The offered version is lower than a generation's, and the app allows it.
    case downgrade(from: String)
    /// The offered version equals a generation's, and the content differs.
    case replacement(of: String)
    /// A generation is damaged or missing.
    case repair(of: String)
    /// The app asked for it: a rollback, or a switch.
    case requested(from: String)
  }

  /// The reason nothing is done, which the app did not expect.
  package enum Refusal: Hashable, Sendable {
    /// The offered version is lower than a generation's.
    case downgrade(from: String)
    /// There is no generation to roll back to.
    case noPrevious
    /// There is no generation of this name.
    case unknown(String)
    /// The generation that was asked for is damaged.
    case damaged(String)
    /// A database of the app has a newer seed than the offered pack.
    case olderSeed
    /// Another pack is in use in the folder.
    case occupied(by: PackName)
  }

  /// The current generation stays.
  case keep(String, KeepReason)
  /// The files of a generation must be read before the decision can be made.
  case verify(String)
  /// A generation that is in the folder becomes the current one.
  case activate(String, Reason)
  /// The offered pack is copied into a new generation, which becomes the current one.
  case install(Reason)
  /// The current generation stays, and the offered pack is refused.
  case refuse(Refusal)
}
