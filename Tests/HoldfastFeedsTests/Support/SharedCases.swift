import Foundation
import HoldfastTestSupport
import Testing

/// The small inputs next to the package, each with the right answer in `expect.md`.
enum SharedCases {
  static let root = PackageFolder.shared.appending(path: "cases/transit")

  static let arePresent = FileManager.default.fileExists(
    atPath: root.path(percentEncoded: false))

  static let absence: Comment = "the shared cases (../shared/cases) are absent"

  static func feed(_ name: String) -> URL { root.appending(path: "\(name)/feed") }
}
