import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// A container as it would be copied from a device, made by a test.
struct ContainerCopy {
  let directory: TemporaryDirectory
  let folder: URL

  /// The path that the container had on the device.
  static let device = StoredPathTests.device

  /// Creates an empty container; `layout` leads from the copied folder to `Documents`.
  init(_ name: String = "Copy", layout: String = "") throws {
    directory = try TemporaryDirectory()
    folder = directory.url.appending(path: name)
    root = layout.isEmpty ? folder : folder.appending(path: layout)
    for path in ["Documents", "Library/Caches", "Library/Application Support", "tmp"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: path), withIntermediateDirectories: true)
    }
  }

  /// The folder that contains `Documents`.
  let root: URL

  func url(_ path: String) -> URL { root.appending(path: path) }

  @discardableResult
  func write(_ bytes: Data, to path: String) throws -> URL {
    let url = url(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
    return url
  }

  @discardableResult
  func write(_ text: String, to path: String) throws -> URL {
    try write(Data(text.utf8), to: path)
  }

  func writeList(
    _ value: Any, to path: String, format: PropertyListSerialization.PropertyListFormat
  ) throws {
    try write(
      PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0),
      to: path)
  }

  /// Creates a database, and closes it.
  func database(
    _ path: String, isLogged: Bool = false, _ body: (Database) throws -> Void
  ) throws {
    let url = url(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    if isLogged {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
    }
    try queue.write(body)
    try queue.close()
  }

  /// Copies a database and its logs while they are open, which is how torn copies are made.
  func copyOpen(
    _ path: String, suffixes: [String], journalMode: String, _ sql: String...
  ) throws {
    let source = try TemporaryDirectory()
    let file = source.file("open.sqlite").path(percentEncoded: false)
    let queue = try DatabaseQueue(path: file)
    defer { queue.closeIgnoringErrors() }
    try queue.writeWithoutTransaction { db in
      // Changed pages are written before their commit, whatever the version of SQLite.
      try db.execute(
        sql: "PRAGMA journal_mode = \(journalMode); PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
      try db.execute(sql: "CREATE TABLE t (a TEXT)")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
          INSERT INTO t SELECT printf('%0500d', i) FROM n
          """)
      for statement in sql { try db.execute(sql: statement) }
      for suffix in [""] + suffixes {
        // In another process: closing a descriptor of the file here would drop SQLite's locks.
        let target = url(path).path(percentEncoded: false) + suffix
        let copied = try ToolProcess.run(
          URL(filePath: "/bin/cp"), [file + suffix, target])
        try #require(copied.status == 0, "\(copied.errors)")
      }
      if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") }
    }
  }

  /// Everything that must not change: names, kinds, bytes and times of modification.
  func state() throws -> [String: String] {
    var state: [String: String] = [:]
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    for name in [""] + names {
      let url = name.isEmpty ? folder : folder.appending(path: name)
      let status = try SystemCalls.linkStatus(of: url.path(percentEncoded: false))
      let bytes = status.kind == .regular ? try Data(contentsOf: url).base64EncodedString() : ""
      state[name] = "\(status.kind) \(status.inode) \(status.modified) \(bytes)"
    }
    return state
  }

  /// Runs the tool and checks that it changed nothing.
  func doctor(_ words: String...) throws -> ToolProcess.Result {
    let before = try state()
    let result = try ToolProcess.run(
      words: ["doctor", folder.lastPathComponent] + words, in: directory.url)
    #expect(try state() == before)
    return result
  }
}

extension ToolProcess.Result {
  /// The findings as `kind file table column key count`, without what does not apply.
  var findings: Set<String> {
    get throws {
      Set(
        try objects.map { finding in
          let parts = ["kind", "file", "table", "column", "key"].compactMap {
            (finding[$0] as? String).flatMap { $0.isEmpty ? nil : $0 }
          }
          let count = finding["count"] as? Int ?? 0
          return (parts + (count == 1 ? [] : ["×\(count)"])).joined(separator: " ")
        })
    }
  }
}
