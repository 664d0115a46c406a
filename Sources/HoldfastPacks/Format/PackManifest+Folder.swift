public import Foundation
package import HoldfastFiles

extension PackManifest {
  /// Reads the manifest of a pack's folder.
  ///
  /// - Parameter folder: The folder that contains `pack.json`.
  /// - Throws: ``PackError`` with `.notFound` when it contains none, and as ``init(data:)`` does;
  ///   `FileError` when the file cannot be read.
  public init(of folder: URL) throws {
    try self.init(of: FilePath(of: folder))
  }

  package init(of folder: FilePath) throws {
    let path = folder.appending([Self.fileName])
    guard let bytes = try PackFolderText.bytes(of: path) else {
      throw PackError.noManifest(in: folder)
    }
    do throws(PackError) {
      try self.init(data: Data(bytes))
    } catch {
      var error = error
      error.path = path.text
      throw error
    }
  }
}
