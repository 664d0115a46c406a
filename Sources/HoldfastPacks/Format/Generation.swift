public import Foundation
package import HoldfastFiles

/// One installed version of a pack, whose files are never modified.
public struct Generation: Sendable {
  /// The name of the folder: the version and digits of the manifest's digest.
  public let name: String

  /// The description of the pack.
  public let manifest: PackManifest

  /// The origin of the pack.
  public let origin: PackOrigin

  package let folder: FilePath

  package init(name: String, manifest: PackManifest, origin: PackOrigin, folder: FilePath) {
    self.name = name
    self.manifest = manifest
    self.origin = origin
    self.folder = folder
  }

  /// The folder, whose path is another one after the container has moved.
  public var url: URL { folder.url }

  /// Returns the location of a file.
  ///
  /// - Parameter file: A file of the manifest.
  /// - Returns: A file URL.
  public func url(of file: PackFile) -> URL {
    folder.appending(file.path.names).url
  }

  /// Returns the location of a file; `nil` when the pack does not contain it.
  ///
  /// - Parameter path: The path below the pack's folder; compared byte for byte.
  /// - Returns: A file URL.
  public func url(ofFileAt path: String) -> URL? {
    manifest.file(at: path).map(url(of:))
  }
}

extension Generation: Hashable {
  /// Compares the folders and the manifests.
  ///
  /// - Parameters:
  ///   - left: A generation.
  ///   - right: Another generation.
  /// - Returns: Whether both are one folder with one content.
  public static func == (left: Generation, right: Generation) -> Bool {
    left.folder == right.folder && left.manifest == right.manifest
  }

  /// Hashes what `==` compares.
  ///
  /// - Parameter hasher: Receives the folder and the manifest.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(folder)
    hasher.combine(manifest)
  }
}
