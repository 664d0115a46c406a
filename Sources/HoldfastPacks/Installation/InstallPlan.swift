package import HoldfastFiles

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

/// The origin of a pack.
public enum PackOrigin: String, Hashable, Sendable {
  /// The app's bundle.
  case bundle
  /// A folder, such as one that was downloaded; preferred to the bundle.
  case folder
}

/// The known content of a pack's folder before an installation.
package struct InstalledPack: Hashable, Sendable {
  /// A generation in the folder, or the current one that should be there.
  package struct Generation: Hashable, Sendable {
    /// The known state of the files.
    package enum State: Hashable, Sendable {
      /// They are the files that were verified.
      case whole
      /// They were not verified since they changed, if ever.
      case unverified
      /// They are missing, or not what the manifest says.
      case damaged
    }

    /// The name of the folder.
    package var name: String
    package var version: PackVersion
    /// The digest of the manifest.
    package var digest: SHA256Digest
    package var state: State

    package init(name: String, version: PackVersion, digest: SHA256Digest, state: State) {
      self.name = name
      self.version = version
      self.digest = digest
      self.state = state
    }
  }

  /// A generation of another pack in the folder, which two packs shared.
  package struct OtherPackGeneration: Hashable, Sendable {
    /// The name of the folder.
    package var name: String
    package var pack: PackName
    /// Whether a lease keeps it.
    package var isHeld: Bool

    package init(name: String, pack: PackName, isHeld: Bool) {
      self.name = name
      self.pack = pack
      self.isHeld = isHeld
    }
  }

  /// The generations in any order.
  package var generations: [Generation]
  /// The name of the current generation; `nil` when nothing is installed.
  package var current: String?
  /// Where the current generation came from.
  package var origin: PackOrigin
  /// The name of the generation that was the current one before.
  package var previous: String?
  /// The packs that the app has left.
  package var dismissed: DismissedPacks
  /// The generations of other packs in any order, to which nothing is switched.
  package var otherPackGenerations: [OtherPackGeneration] = []

  package init(
    generations: [Generation] = [], current: String? = nil, origin: PackOrigin = .bundle,
    previous: String? = nil, dismissed: DismissedPacks = DismissedPacks()
  ) {
    self.generations = generations
    self.current = current
    self.origin = origin
    self.previous = previous
    self.dismissed = dismissed
  }

  /// Another pack that is in use in the folder, or may be: while no generation is known to be
  /// current, a folder without one of this pack is the other's.
  package var occupant: PackName? {
    let isOther = current == nil && generations.isEmpty
    return otherPackGenerations.first { isOther || $0.name == current || $0.isHeld }?.pack
  }
}

/// The pack that is offered for installation.
package struct OfferedPack: Hashable, Sendable {
  package var version: PackVersion
  /// The digest of the manifest.
  package var digest: SHA256Digest
  package var origin: PackOrigin
  /// Whether the current generation's seed can be merged into a database of the app, or was, and
  /// the offered pack's seed cannot, because it is older than what was merged.
  package var hasOlderSeed: Bool

  package init(
    version: PackVersion, digest: SHA256Digest, origin: PackOrigin, hasOlderSeed: Bool = false
  ) {
    self.version = version
    self.digest = digest
    self.origin = origin
    self.hasOlderSeed = hasOlderSeed
  }
}
