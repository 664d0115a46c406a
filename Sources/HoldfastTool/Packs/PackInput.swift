import Foundation
import HoldfastFeeds
import HoldfastFiles
import HoldfastPacks

/// A pack that is read from a folder or a ZIP archive.
///
/// An archive is unpacked into a private folder: the manifest, and the files that it lists. The
/// archive's own names are only compared, and no file becomes longer than its declared length.
struct PackInput {
  /// The folder with `pack.json`.
  let folder: URL
  let manifest: PackManifest

  private let privateFolder: PrivateFolder?

  /// Opens a pack.
  ///
  /// - Parameters:
  ///   - url: A folder with `pack.json`, or a ZIP archive of one.
  ///   - output: Removes what was unpacked if the process is interrupted.
  /// - Throws: ``ToolError`` when there is no pack, or the archive is damaged; `PackError`;
  ///   `FileError`.
  init(at url: URL, _ output: Output) throws {
    guard try !Self.isFolder(url) else {
      folder = url
      manifest = try PackManifest(of: url)
      privateFolder = nil
      return
    }
    let place = try PrivateFolder(outside: FilePath(of: url))
    output.console.atEnd { [root = place.root] in PrivateFolder.remove(root) }
    do {
      manifest = try Self.withArchive(at: url) { archive in
        try archive.unpack(to: place.path)
        return archive.manifest
      }
      folder = place.path.url
      privateFolder = place
    } catch {
      place.remove()
      throw error
    }
  }

  /// Opens an archive, and does some work with it.
  ///
  /// - Throws: ``ToolError`` in place of `FeedError`, whose advice is about timetables.
  private static func withArchive<Result>(
    at url: URL, _ body: (PackArchive) throws -> Result
  ) throws -> Result {
    do {
      return try body(PackArchive(at: url))
    } catch let error as FeedError {
      throw ToolError.unusableArchive(error)
    }
  }

  /// Returns the manifest of a pack, without unpacking its other files.
  ///
  /// - Parameter url: A folder with `pack.json`, or a ZIP archive of one.
  /// - Returns: What `pack.json` contains.
  /// - Throws: The errors of ``init(at:_:)``.
  static func manifest(at url: URL) throws -> PackManifest {
    try isFolder(url) ? PackManifest(of: url) : withArchive(at: url, \.manifest)
  }

  private static func isFolder(_ url: URL) throws -> Bool {
    let path = try FilePath(of: url)
    do throws(Errno) {
      return try SystemCalls.status(of: path.text).kind == .directory
    } catch {
      throw ToolError.noPack(url.relativePath, reason: SystemCalls.description(of: error))
    }
  }

  /// Removes what was unpacked.
  func close() { privateFolder?.remove() }

  /// Opens a pack, does some work, and removes what was unpacked.
  static func use<Result>(
    at url: URL, _ output: Output, _ body: (PackInput) async throws -> Result
  ) async throws -> Result {
    let input = try PackInput(at: url, output)
    defer { input.close() }
    return try await body(input)
  }
}
