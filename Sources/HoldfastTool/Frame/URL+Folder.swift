import Foundation
import HoldfastFiles

extension URL {
  /// Whether a folder, or a symbolic link to one, lies at this path.
  ///
  /// `hasDirectoryPath` does not follow links.
  var isFolder: Bool {
    do {
      return try SystemCalls.status(of: FilePath(of: self).text).kind == .directory
    } catch {
      // A path that cannot be examined is no known folder; opening it says why.
      return false
    }
  }
}
