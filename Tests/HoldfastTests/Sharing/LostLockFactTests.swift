#if os(Linux)
  import Foundation
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  /// The effect of opening and closing a database without SQLite while the process has it open.
  ///
  /// This is why only SQLite may open a live database: data would be lost. A failure here means
  /// that the present system or SQLite no longer has this problem.
  ///
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html>, section 2.2
  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct LostLockFactTests {
    private static let volumes = TemporaryDirectory.volumes

    private let other: OtherSQLite

    init() throws { other = try OtherSQLite() }

    private func makeDatabase(in folder: TemporaryDirectory) throws -> String {
      let path = folder.file("t.db").path
      try other.run("PRAGMA journal_mode = WAL", on: path)
      try other.run("CREATE TABLE t (a)", on: path)
      try other.run("INSERT INTO t VALUES (1)", on: path)
      return path
    }

    private func held(_ path: String) throws -> [LockTable.Name] {
      try LockTable(ofDatabaseAt: URL(filePath: path)).locks(heldBy: other.processIdentifier)
        .map(\.name)
    }

    @Test(arguments: volumes)
    func openingAndClosingTheDatabaseReleasesItsLock(volume: URL) throws {
      let folder = try TemporaryDirectory(in: volume)
      let path = try makeDatabase(in: folder)
      #expect(try held(path) == [.shared, .deadManSwitch])
      try other.touch(path)
      #expect(try held(path) == [.deadManSwitch])
    }

    @Test(arguments: volumes)
    func openingAndClosingTheLogReleasesNothing(volume: URL) throws {
      let folder = try TemporaryDirectory(in: volume)
      let path = try makeDatabase(in: folder)
      try other.run("BEGIN IMMEDIATE", on: path)
      let before = try held(path)
      try other.touch(path + "-wal")
      #expect(try held(path) == before)
      #expect(before.count == 4)
    }

    @Test(arguments: volumes)
    func openingAndClosingTheIndexReleasesTheLocksOfAWriter(volume: URL) throws {
      let folder = try TemporaryDirectory(in: volume)
      let path = try makeDatabase(in: folder)
      try other.run("BEGIN IMMEDIATE", on: path)
      #expect(try held(path).contains(.walWrite))
      try other.touch(path + "-shm")
      #expect(try held(path) == [.shared])
      // And a second writer enters at the same time.
      let second = try OtherSQLite()
      try second.run("BEGIN IMMEDIATE", on: path)
      try second.run("INSERT INTO t VALUES (2)", on: path)
      try second.run("COMMIT", on: path)
    }

    @Test(
      .disabled(if: ConnectionKeys.areUsed, "the library of SQLCipher is newer, and notices it"),
      arguments: volumes)
    func aCommitIsLostWithoutAnError(volume: URL) throws {
      let folder = try TemporaryDirectory(in: volume)
      let path = try makeDatabase(in: folder)
      try other.run("INSERT INTO t VALUES (2)", on: path)
      try other.touch(path)
      // It believes that it is the last one: it checkpoints the log into the database and removes
      // it.
      let second = try OtherSQLite()
      try second.run("SELECT * FROM t", on: path)
      try second.close(path)
      #expect(try folder.names == ["t.db"])

      try other.run("INSERT INTO t VALUES (3)", on: path)
      #expect(try other.run("SELECT a FROM t ORDER BY a", on: path) == [["1"], ["2"], ["3"]])
      #expect(try second.run("SELECT a FROM t ORDER BY a", on: path) == [["1"], ["2"]])
      #expect(try second.run("PRAGMA integrity_check", on: path) == [["ok"]])
    }
  }
#endif
