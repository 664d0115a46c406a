import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Databases of which less than a page is left, next to their logs.
@Suite struct CutDatabaseTests {
  let copy: ContainerCopy
  private static let name = "Documents/a.sqlite"

  init() throws { copy = try ContainerCopy() }

  private var path: String { copy.url(Self.name).path(percentEncoded: false) }

  private func cut(to count: Int) throws {
    try Data(contentsOf: copy.url(Self.name)).prefix(count).write(to: copy.url(Self.name))
  }

  private func problems() throws -> [String]? {
    try ToolProcess.run("db", "check", path, "--json").objects.first?["problems"] as? [String]
  }

  /// SQLite reads each page from the log, and writes all of them in the next checkpoint.
  @Test(arguments: [2, 15, 16, 50, 99, 100, 511, 4095])
  func aCutDatabaseIsSoundIfItsLogHasAllPages(count: Int) throws {
    try copy.copyOpen(
      Self.name, suffixes: ["-wal"], journalMode: "WAL", "PRAGMA wal_autocheckpoint = 0")
    try cut(to: count)
    #expect(try copy.doctor("--json").findings == [])
    let before = try copy.state()
    #expect(try problems() == [])
    let rows = try ToolProcess.run("db", "query", path, "SELECT count(*) AS n FROM t", "--json")
    #expect(rows.output == "{\"n\":200}\n")
    #expect(try copy.state() == before)
  }

  /// It does so whatever lies in place of the first page, such as a message of another program.
  @Test(arguments: [2, 30, 511, 512, 5000])
  func anotherFileIsSoundIfTheLogNextToItHasAllPages(count: Int) throws {
    try copy.copyOpen(
      Self.name, suffixes: ["-wal"], journalMode: "WAL", "PRAGMA wal_autocheckpoint = 0")
    for text in ["hello there\n", "{\"a\": 1}  "] {
      let bytes = Data(String(repeating: text, count: count).utf8.prefix(count))
      try bytes.write(to: copy.url(Self.name))
      #expect(try problems() == [])
      #expect(try copy.doctor("--json").findings == [], "\(text)")
    }
    try FileManager.default.removeItem(at: copy.url(Self.name + "-wal"))
    try Data("hello there\n".utf8.prefix(count)).write(to: copy.url(Self.name))
    #expect(try copy.doctor("--json").output.contains("text"))
  }

  @Test(arguments: [2, 15, 16, 99])
  func aCutDatabaseIsDamagedIfItsLogHasOtherPages(count: Int) throws {
    try copy.copyOpen(
      Self.name, suffixes: ["-wal"], journalMode: "WAL", "PRAGMA wal_checkpoint(TRUNCATE)",
      "UPDATE t SET a = 'x' WHERE rowid = 5")
    try cut(to: count)
    let words = "it ends within its header, after \(count) bytes"
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["damaged_database \(Self.name)"])
    #expect(found.output.contains(words))
    #expect(try problems() == [words])
    // Without a log it is no other file.
    try FileManager.default.removeItem(at: copy.url(Self.name + "-wal"))
    #expect(try copy.doctor("--json").output.contains(words))
    #expect(try problems() == [words])
  }

  /// SQLite would delete the log.
  @Test(arguments: [0, 1]) func theLogOfAnEmptyDatabaseIsNamed(count: Int) throws {
    try copy.copyOpen(Self.name, suffixes: ["-wal"], journalMode: "WAL")
    try cut(to: count)
    #expect(try copy.doctor("--json").findings == ["torn_database \(Self.name)"])
    let before = try copy.state()
    let checked = try ToolProcess.run("db", "check", path)
    #expect(checked.status == 65 && checked.errors.contains("which SQLite would delete"))
    #expect(try copy.state() == before)
  }
}
