#if os(Linux)
  import Foundation
  import Holdfast
  import HoldfastTestSupport
  import Synchronization
  import Testing

  /// The article on the lock table shows what the lock table shows.
  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct WhatTheLockTableShowsTests {
    private let folder: TemporaryDirectory
    private let other: OtherSQLite

    init() throws {
      folder = try TemporaryDirectory()
      other = try OtherSQLite()
    }

    /// The article's words for the locks of this moment.
    private static func shown(_ url: URL) throws -> [String] {
      let own = ProcessInfo.processInfo.processIdentifier
      return try lines(ofLocksOn: url).map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        #expect(parts.count == 2)
        let process = parts[0].split { !$0.isNumber }.last.flatMap { Int32($0) }
        return (process == own ? "app (4712):" : "python3 (4711):") + (parts.last ?? "")
      }
    }

    @Test func everyBlockOfTheArticleIsAnExample() throws {
      try Article("WhatTheLockTableShows").expectExamples(count: 1)
    }

    @Test func everyOutputOfTheArticleIsOfARun() throws {
      var outputs: [[String]] = []
      let app = folder.file("app.sqlite")
      for sql in ["PRAGMA journal_mode = wal", "CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"] {
        try other.run(sql, on: app.path)
      }
      outputs.append(try Self.shown(app))
      try other.run("BEGIN", on: app.path)
      try other.run("SELECT * FROM t", on: app.path)
      outputs.append(try Self.shown(app))
      try other.run("COMMIT", on: app.path)
      try other.run("BEGIN IMMEDIATE", on: app.path)
      outputs.append(try Self.shown(app))
      try other.run("COMMIT", on: app.path)
      outputs.append(try shownDuringACheckpoint(of: app))

      let old = folder.file("old.sqlite")
      for sql in ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"] {
        try other.run(sql, on: old.path)
      }
      #expect(try Self.shown(old) == [])
      try other.run("BEGIN", on: old.path)
      try other.run("SELECT * FROM t", on: old.path)
      outputs.append(try Self.shown(old))
      try other.run("COMMIT", on: old.path)
      try other.run("BEGIN IMMEDIATE", on: old.path)
      outputs.append(try Self.shown(old))
      try other.run("COMMIT", on: old.path)
      try other.run("BEGIN EXCLUSIVE", on: old.path)
      outputs.append(try Self.shown(old))

      let blocks = try Article("WhatTheLockTableShows").blocks(in: "text")
      // Of the same bytes the kernel names the holders in any order.
      #expect(blocks.map { $0.lines.sorted() } == outputs.map { $0.sorted() })
    }

    /// The locks while this process waits for a reader of the other one.
    private func shownDuringACheckpoint(of url: URL) throws -> [String] {
      try other.run("BEGIN", on: url.path)
      try other.run("SELECT * FROM t", on: url.path)
      let seen = Mutex<Result<[String], any Error>>(.success([]))
      var configuration = Configuration()
      configuration.busyMode = .callback { _ in
        seen.withLock { seen in seen = Result { try Self.shown(url) } }
        return false
      }
      let pool = try DatabasePool(path: url.path, configuration: configuration)
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      #expect(throws: DatabaseError.self) { try pool.checkpoint(.restart) }
      try pool.close()
      try other.run("COMMIT", on: url.path)
      return try seen.withLock { try $0.get() }
    }
  }
#endif
