package import HoldfastFiles

/// The known content of a pack's folder before an installation.
package struct InstalledPack: Hashable, Sendable {
  /// A generation in the folder, or the current one that should be there.
  package struct Generation: Hashable, Sendable {
    /// The name of the folder.
    package var name: String
    package var version: PackVersion
    /// The digest of the manifest.
    package var digest: SHA256Digest
    package var state: GenerationState

    package init(name: String, version: PackVersion, digest: SHA256Digest, state: GenerationState) {
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
