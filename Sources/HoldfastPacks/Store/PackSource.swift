public import Foundation

/// A folder that contains a pack, from which a store installs it.
public struct PackSource: Hashable, Sendable {
  /// The folder with `pack.json`.
  public let url: URL

  /// The origin of the pack.
  public let origin: PackOrigin

  /// A pack in the app's bundle.
  ///
  /// It is used in place, read-only, where it cannot be installed.
  ///
  /// - Parameter url: The folder with `pack.json`.
  /// - Returns: The pack, as one that comes with the app.
  public static func bundle(_ url: URL) -> PackSource {
    PackSource(url: url, origin: .bundle)
  }

  /// A pack in a folder, such as one that was downloaded; preferred to one of the bundle with the
  /// same version.
  ///
  /// - Parameter url: The folder with `pack.json`.
  /// - Returns: The pack, as one that does not come with the app.
  public static func folder(_ url: URL) -> PackSource {
    PackSource(url: url, origin: .folder)
  }
}

extension PackSource {
  /// Returns the location of a file of the pack.
  ///
  /// - Parameter file: A file of the manifest.
  /// - Returns: A file URL.
  public func url(of file: PackFile) -> URL {
    file.path.names.reduce(url) { $0.appending(path: $1, directoryHint: .notDirectory) }
  }
}
