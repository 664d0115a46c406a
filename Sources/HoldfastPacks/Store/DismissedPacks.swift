package import HoldfastFiles

/// The packs that an app has dismissed, which are not installed again by themselves.
package struct DismissedPacks: Hashable, Sendable {
  /// The way in which an app dismisses a pack.
  package enum Way: Hashable, Sendable {
    /// By a rollback, which does not return to it later.
    case rollback
    /// By a switch to another generation, after which a rollback returns to it.
    case switching
  }

  /// A pack that was left.
  package struct Member: Hashable, Sendable {
    /// The digest of the manifest.
    package var digest: SHA256Digest
    package var way: Way

    package init(_ digest: SHA256Digest, by way: Way) {
      self.digest = digest
      self.way = way
    }
  }

  /// The number of packs that are remembered.
  package static let limit = 32

  /// The packs, the one that was left last at the end.
  package private(set) var members: [Member] = []

  package init(_ members: [Member] = []) {
    for member in members { add(member.digest, by: member.way) }
  }

  /// Adds a pack; of more than ``limit``, the oldest are forgotten.
  package mutating func add(_ digest: SHA256Digest, by way: Way) {
    remove(digest)
    members.append(Member(digest, by: way))
    members = members.suffix(Self.limit)
  }

  /// Removes a pack, because it is current again.
  package mutating func remove(_ digest: SHA256Digest) {
    members.removeAll { $0.digest == digest }
  }

  package func contains(_ digest: SHA256Digest) -> Bool {
    members.contains { $0.digest == digest }
  }

  package func contains(_ digest: SHA256Digest, by way: Way) -> Bool {
    members.contains(Member(digest, by: way))
  }
}
