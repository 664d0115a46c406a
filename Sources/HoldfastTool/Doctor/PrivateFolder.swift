import Foundation
import HoldfastFiles

/// A folder in the system's temporary folder that only this user can enter, for copies of databases.
final class PrivateFolder {
  let path: FilePath
  private let isOutside: Bool

  /// Creates an empty folder.
  ///
  /// - Parameter container: The container that is examined; the folder must not lie in it.
  /// - Throws: ``ToolError`` with `.cannotCreate` when the temporary folder lies in the container,
  ///   or the folder cannot be created.
  init(outside container: FilePath) throws {
    let temporary = FileManager.default.temporaryDirectory
    do throws(Errno) {
      let parent = FilePath(try SystemCalls.realPath(temporary.path(percentEncoded: false)))
      isOutside = parent.names(below: container) == nil
      path = parent.appending(["holdfast-\(UUID().uuidString)"])
      if isOutside { try SystemCalls.makeDirectory(path.text, permissions: 0o700) }
    } catch {
      throw ToolError.noTemporaryFolder(
        temporary.path(percentEncoded: false), reason: SystemCalls.description(of: error))
    }
    guard isOutside else { throw ToolError.temporaryFolderInContainer(path.directory.text) }
  }

  /// Removes all copies.
  func empty() {
    do {
      for name in try FileManager.default.contentsOfDirectory(atPath: path.text) {
        try FileManager.default.removeItem(atPath: path.appending([name]).text)
      }
    } catch _ {
      // What stays is removed with the folder.
    }
  }

  /// Removes the folder with all that is in it.
  func remove() {
    // There is no place to report that it stays, and the system removes it in time.
    try? FileManager.default.removeItem(atPath: path.text)
  }
}
