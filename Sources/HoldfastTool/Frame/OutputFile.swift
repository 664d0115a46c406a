import Foundation

extension URL {
  /// Refuses a path where no file can be created, before any work is done for it.
  ///
  /// - Throws: ``ToolError`` when this is a folder, or when the folder around it is missing.
  func checkIsPlaceForFile() throws(ToolError) {
    guard !isFolder else { throw .outputIsFolder(relativePath) }
    let folder = deletingLastPathComponent().path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: folder) else {
      throw .noOutputFolder(for: relativePath)
    }
  }
}
