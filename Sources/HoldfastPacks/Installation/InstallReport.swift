public import Foundation
public import HoldfastFiles

/// A report of what an installation did, and which files an app uses after it.
public struct InstallReport: Sendable {
  /// The action of an installation.
  public enum Action: Hashable, Sendable {
    /// A generation became the current one for the first time.
    case installed
    /// A generation took the place of one with a lower version, or with other content.
    case upgraded(from: String)
    /// A generation took the place of one with a higher version.
    case downgraded(from: String)
    /// A generation took the place of a damaged one.
    case repaired(from: String)
    /// A generation that was there became the current one, as the app asked for.
    case switched(from: String)
    /// The current generation stays, because it is the offered one, or is preferred to it.
    case kept
    /// The current generation stays, and the offered pack was refused.
    case refused
    /// The offered pack was not installed, because of ``InstallReport/failure``.
    case failed
  }

  /// The files that an app uses.
  public enum Source: Hashable, Sendable {
    /// Those of an installed generation.
    case generation(Generation)
    /// Those of the offered pack, in place and read-only, because it cannot be installed.
    ///
    /// Do not pass their paths to another library: an update of the app removes them while they
    /// are open.
    case inPlace(PackSource, PackManifest)
  }

  /// The name of the pack.
  public var pack: PackName

  /// The action of an installation.
  public var action: Action

  /// The files to use.
  public var source: Source

  /// A sentence that says why these files are used.
  public var reason: String

  /// The reason the offered pack was not installed; `nil` when it was, or did not have to be.
  public var failure: (any Error)?

  /// The paths of seeds of the current generation that are older than what was merged into the
  /// app's databases before, in a generation that took the place of a damaged or missing one.
  ///
  /// Such a database opens without its seed; see ``SeededDatabase/Origin/keptWithoutSeed``.
  public var olderSeeds: [String] = []

  /// Files of the app, or of the user, that have a name of the layout and were left.
  public var keptFiles: [KeptFile] = []

  /// The exclusion of the pack's folders from backups, as read back.
  public var exclusions: [Exclusion] = []

  /// The reason links were not switched or the clean-up was not begun, which a later call makes up
  /// for; `nil` when all was done.
  public var unfinished: (any Error)?

  /// The report of the clean-up.
  public var cleaning: CleaningReport?

  /// The current generation; `nil` when the offered pack is used in place.
  public var generation: Generation? {
    if case .generation(let generation) = source { return generation }
    return nil
  }

  /// Returns the location of a file; `nil` when the pack does not contain it.
  ///
  /// - Parameter path: The path below the pack's folder; compared byte for byte.
  /// - Returns: A file URL.
  public func url(ofFileAt path: String) -> URL? {
    switch source {
    case .generation(let generation): generation.url(ofFileAt: path)
    case .inPlace(let source, let manifest): manifest.file(at: path).map(source.url(of:))
    }
  }

  /// A file that has a name of the layout, and is not the store's.
  public struct KeptFile: Hashable, Sendable {
    /// The name in the pack's folder.
    public var name: String

    /// The digest, where the file could be read.
    public var digest: FileDigest?

    /// The name under which it is now, if it had to make room; `nil` if it was left.
    public var movedTo: String?

    /// A sentence that says why it was left or moved.
    public var reason: String
  }

  /// The exclusion of a folder from backups.
  public struct Exclusion: Hashable, Sendable {
    /// The path below the pack's folder; empty for the pack's folder itself.
    public var path: String

    /// Whether it is excluded, as read back.
    public var isExcluded: Bool

    /// The reason it is not as the configuration says; `nil` when it is.
    public var problem: String?
  }
}
