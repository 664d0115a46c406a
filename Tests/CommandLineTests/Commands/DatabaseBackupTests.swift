import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct DatabaseBackupTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func dump(_ name: String) throws -> String {
    try place.run("db", "query", name, "SELECT * FROM stops ORDER BY sid", "--json").output
  }

  @Test func theCopyIsCompleteAndTheSourceUnchanged() throws {
    let before = try Data(contentsOf: place.directory.file("harbour.db"))
    let made = try place.run("db", "backup", "harbour.db", "copy.db", "--json")
    #expect((made.status, made.errors) == (0, ""))
    #expect(made.keys == ["output", "bytes"])
    #expect(try made.objects.first?["output"] as? String == "copy.db")
    #expect(try made.objects.first?["bytes"] as? Int == before.count)
    #expect(try place.directory.names == ["copy.db", "harbour.db"])
    #expect(try Data(contentsOf: place.directory.file("harbour.db")) == before)
    #expect(try dump("copy.db") == dump("harbour.db"))
    #expect(try place.run("db", "check", "copy.db").status == 0)
  }

  @Test func contentOfTheLogIsCopied() throws {
    let path = place.directory.file("log.db").path
    let pool = try DatabasePool(path: path)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2)")
    }
    let log = try Data(contentsOf: place.directory.file("log.db-wal"))
    try #require(!log.isEmpty)
    #expect(try place.run("db", "backup", "log.db", "copy.db").status == 0)
    #expect(try Data(contentsOf: place.directory.file("log.db-wal")) == log)
    // The copy is one file and complete without others.
    let names = try place.directory.names
    #expect(names.filter { $0.hasPrefix("copy") || $0.hasPrefix(".copy") } == ["copy.db"])
    let counted = try place.run("db", "query", "copy.db", "SELECT count(*) AS n FROM t", "--json")
    #expect(counted.output == "{\"n\":2}\n")
    try pool.close()
  }

  @Test func anExistingFileIsReplacedOnlyOnRequest() throws {
    try Data("precious".utf8).write(to: place.directory.file("copy.db"))
    let refused = try place.run("db", "backup", "harbour.db", "copy.db")
    #expect(refused.status == 73)
    #expect(refused.complaint.first == "'copy.db' already exists.")
    #expect(try Data(contentsOf: place.directory.file("copy.db")) == Data("precious".utf8))
    #expect(try place.run("db", "backup", "harbour.db", "copy.db", "--replace").status == 0)
    #expect(try dump("copy.db") == dump("harbour.db"))
  }

  @Test func aDatabaseIsNotCopiedOntoItself() throws {
    let file = place.directory.file("harbour.db")
    try FileManager.default.createSymbolicLink(
      at: place.directory.file("link.db"), withDestinationURL: file)
    try FileManager.default.linkItem(at: file, to: place.directory.file("hard.db"))
    let before = try Data(contentsOf: file)
    for name in ["harbour.db", "link.db", "hard.db", "./harbour.db"] {
      let refused = try place.run("db", "backup", "harbour.db", name, "--replace")
      #expect(refused.status == 73)
      #expect(refused.complaint.last == "Name another file.")
    }
    #expect(try Data(contentsOf: file) == before)
  }

  @Test(arguments: ["-wal", "-shm", "-journal", "-signal"], [true, false])
  func aCopyDoesNotReplaceACompanionFile(suffix: String, isOpen: Bool) throws {
    let path = place.directory.file("log.db").path
    var pool: DatabasePool? = try DatabasePool(path: path)
    try pool?.write { db in
      try db.execute(sql: "CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (1), (2)")
    }
    if !isOpen {
      try pool?.close()
      pool = nil
    }
    let names = try place.directory.names
    for words in [["--replace"], []] {
      let refused = try ToolProcess.run(
        words: ["db", "backup", "log.db", "log.db" + suffix] + words, in: place.folder)
      #expect(refused.status == 73)
    }
    let refused = try place.run("db", "backup", "harbour.db", "./log.db" + suffix, "--replace")
    #expect(refused.status == 73)
    #expect(refused.complaint.count == 2)
    #expect(refused.complaint.first?.contains("'log.db'") == true)
    #expect(try place.directory.names == names)
    if let pool {
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (3)") }
      try pool.close()
    }
    let counted = try place.run("db", "query", "log.db", "SELECT count(*) AS n FROM t", "--json")
    #expect(counted.output == "{\"n\":\(isOpen ? 3 : 2)}\n")
  }

  @Test func aFailedCopyLeavesNoFile() throws {
    try Data("no database, but long enough to look at".utf8)
      .write(to: place.directory.file("text.db"))
    let names = try place.directory.names
    #expect(try place.run("db", "backup", "text.db", "copy.db").status == 65)
    #expect(try place.run("db", "backup", "nothing.db", "copy.db").status == 66)
    #expect(try place.run("db", "backup", "harbour.db", "nowhere/copy.db").status == 73)
    #expect(try place.run("db", "backup", "harbour.db", ".").status == 73)
    let damaged = try Data(contentsOf: place.directory.file("harbour.db")).prefix(5000)
    try damaged.write(to: place.directory.file("text.db"))
    #expect(try place.run("db", "backup", "text.db", "copy.db").status != 0)
    #expect(try place.directory.names == names)
  }

  @Test(.enabled(if: TerminalTests.python != nil, "Python 3 opens the pseudo-terminal."))
  func aProgressBarIsShownOnlyOnATerminal() throws {
    #expect(try place.run("db", "backup", "harbour.db", "copy.db").errors == "")
    let shown = try TerminalTests.run(
      ["db", "backup", "harbour.db", "other.db"], in: place.folder)
    #expect(shown.status == 0)
    #expect(shown.output.contains("Copying harbour.db ["))
  }
}
