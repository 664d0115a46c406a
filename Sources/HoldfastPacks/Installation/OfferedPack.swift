package import HoldfastFiles

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
