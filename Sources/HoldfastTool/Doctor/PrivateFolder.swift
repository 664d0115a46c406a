import Foundation
import HoldfastFiles

/// A folder in the system's temporary folder that only this user can enter, for copies of databases.
final class PrivateFolder {
  let path: FilePath

  /// Creates an empty folder.
  ///
  /// - Parameter container: The container that is examined; the folder must not lie in it.
  /// - Throws: ``ToolError`` with `.cannotCreate` when the temporary folder lies in the container,
  ///   or the folder cannot be created.
  init(outside container: FilePath) throws {
    let temporary = FileManager.default.temporaryDirectory
    do {
      let parent = try FilePath(of: temporary).resolved()
      guard parent.names(below: container) == nil else {
        throw ToolError.temporaryFolderInContainer(parent.text)
      }
      path = parent.appending(["holdfast-doctor-\(UUID().uuidString)"])
      do throws(Errno) {
        try SystemCalls.makeDirectory(path.text, permissions: 0o700)
      } catch {
        throw ToolError.noTemporaryFolder(
          parent.text, reason: SystemCalls.description(of: error))
      }
    }
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
