import Foundation
import HoldfastTestSupport
import Testing

/// The real tilesets and styles next to the package, which are not part of it.
enum SharedMaps {
  static let tilesets = PackageFolder.shared.appending(path: "data/tilesets")
  static let styles = PackageFolder.shared.appending(path: "data/styles")

  static let arePresent = FileManager.default.fileExists(
    atPath: tilesets.path(percentEncoded: false))

  static let absence: Comment = "the shared tilesets (../shared/data) are absent"

  static func tileset(_ name: String) -> URL {
    tilesets.appending(path: name, directoryHint: .notDirectory)
  }

  static func style(_ name: String) -> URL {
    styles.appending(path: name, directoryHint: .notDirectory)
  }
}
