import Foundation

/// The files of the package, by their paths below its root.
struct SourceTree {
  let root: URL
  /// Everything a clone contains, sorted; build products and tools' own folders are left out.
  let files: [String]

  /// The package that this file belongs to.
  static func ofThisPackage(file: String = #filePath) throws -> SourceTree {
    try SourceTree(
      root: URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent())
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
      let values = try url.resourceValues(forKeys: [.isDirectoryKey])
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

  /// Every Swift file below the folders.
  func sources(in folders: String...) throws -> [SwiftSource] {
    try files
      .filter { path in path.hasSuffix(".swift") && folders.contains { path.hasPrefix($0 + "/") } }
      .map { SwiftSource(path: $0, text: try text($0)) }
  }
}
