import Foundation
import HoldfastTestSupport

/// The files of the package, by their paths relative to its root.
struct SourceTree {
  let root: URL
  /// All files of a clone, sorted; without build products and the folders of tools.
  let files: [String]

  /// Returns the files of the package that contains this file.
  static func ofThisPackage() throws -> SourceTree {
    try SourceTree(root: PackageFolder.root)
  }

  init(root: URL) throws {
    self.root = root
    files = try Self.files(below: root, prefix: "").sorted()
  }

  private static func files(below folder: URL, prefix: String) throws -> [String] {
    var found: [String] = []
    let path = folder.path(percentEncoded: false)
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where !name.hasPrefix(".") || [".ci", ".github", ".swift-format"].contains(name) {
      let url = folder.appending(component: name)
      let values = try url.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
      // What a link leads to is read in its own place.
      if values.isSymbolicLink == true { continue }
      if values.isDirectory == true {
        found += try files(below: url, prefix: prefix + name + "/")
      } else {
        found.append(prefix + name)
      }
    }
    return found
  }

  func data(_ path: String) throws -> Data {
    try Data(contentsOf: root.appending(path: path))
  }

  func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the path and the text of every Swift file below the folders.
  func sources(in folders: String...) throws -> [(path: String, text: String)] {
    try files
      .filter { path in path.hasSuffix(".swift") && folders.contains { path.hasPrefix($0 + "/") } }
      .map { ($0, try text($0)) }
  }
}
