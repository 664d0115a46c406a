#if os(Linux)
  import Foundation
  import Holdfast
  import HoldfastTestSupport
  import Testing

  @testable import HoldfastTool

  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct DatabaseLocksTests {
    let place: Workplace
    let path: String
    let other: OtherSQLite

    init() throws {
      place = try Workplace()
      path = place.directory.file("t.db").path(percentEncoded: false)
      other = try OtherSQLite()
      try other.run("PRAGMA journal_mode = WAL", on: path)
      try other.run("CREATE TABLE t (a)", on: path)
    }

    @Test func eachLockIsPrintedOnOneLine() throws {
      try other.run("BEGIN IMMEDIATE", on: path)
      let programs = try place.run("db", "locks", "t.db", "--json")
      #expect(programs.status == 0)
      #expect(programs.keys == ["pid", "process", "file", "lock", "mode"])
      let locks = try programs.objects
      #expect(locks.allSatisfy { $0["pid"] as? Int == Int(other.processIdentifier) })
      #expect(locks.allSatisfy { ($0["process"] as? String)?.hasPrefix("python") == true })
      #expect(
        locks.map { "\($0["file"] ?? "") \($0["lock"] ?? "") \($0["mode"] ?? "")" } == [
          "t.db SHARED read", "t.db-shm WAL WRITE write", "t.db-shm READ mark 1 read",
          "t.db-shm DMS read",
        ])
      let people = try place.run("db", "locks", "t.db")
      #expect(people.output.drop { $0 == " " }.hasPrefix("pid  process  file "))
      #expect(people.output.split(separator: "\n").count == 5)
      #expect(people.output.contains("WAL WRITE"))
    }

    @Test(.enabled(if: ProcessNamespace.isWholeSystem, "in a container locks are hidden"))
    func anUnlockedDatabasePrintsNoLine() throws {
      try other.close(path)
      let people = try place.run("db", "locks", "t.db")
      #expect(
        (people.status, people.output, people.errors) == (
          0, "", "No locks found.\nThe tool runs on \(SQLiteLibrary.current).\n"
        ))
      let programs = try place.run("db", "locks", "t.db", "--json")
      #expect((programs.status, programs.output, programs.errors) == (0, "", ""))
    }

    /// A process that does not find itself in the table cannot find others either.
    @Test(.enabled(if: ProcessNamespace.isPossible, "no namespace can be made here"))
    func locksAreUnknownUnderTheProcOfAnotherNamespace() throws {
      try other.run("BEGIN IMMEDIATE", on: path)
      let result = try ToolProcess.run(
        URL(filePath: "/usr/bin/env"),
        ["unshare", "--pid", "--fork", ToolProcess.executable.path, "db", "locks", "t.db"],
        in: place.folder)
      #expect((result.status, result.output) == (69, ""))
      #expect(result.complaint.count == 2)
      #expect(result.complaint.first?.contains("namespace") == true)
    }

    /// The kernel omits processes outside the namespace.
    @Test(.enabled(if: ProcessNamespace.isPossible, "no namespace can be made here"))
    func inItsOwnNamespaceTheToolDoesNotReportTheAbsenceOfLocks() throws {
      try other.run("BEGIN IMMEDIATE", on: path)
      let result = try ToolProcess.run(
        URL(filePath: "/usr/bin/env"),
        [
          "unshare", "--pid", "--fork", "--mount-proc", ToolProcess.executable.path, "db", "locks",
          "t.db",
        ],
        in: place.folder)
      #expect((result.status, result.output) == (69, ""))
      #expect(result.complaint.count == 2)
      #expect(result.complaint.first?.contains("namespace") == true)
    }

    @Test func aMissingDatabaseIsReported() throws {
      let missing = try place.run("db", "locks", "none.db")
      #expect(missing.status == 66)
      #expect(missing.complaint.first?.contains("none.db") == true)
    }

    @Test func aNonDatabaseIsRefusedUnlessItIsLocked() throws {
      try Data("A note, not a database.".utf8).write(to: place.directory.file("note.txt"))
      let refused = try place.run("db", "locks", "note.txt")
      #expect((refused.status, refused.output) == (65, ""))
      #expect(
        refused.complaint.first == "'note.txt' is not a SQLite database, and has no locks.")
      // Like an encrypted database: its locks are still listed.
      try other.lockOpenFile(place.directory.file("note.txt").path(percentEncoded: false))
      let locked = try place.run("db", "locks", "note.txt")
      #expect(locked.status == 0)
      #expect(locked.output.contains("note.txt"))

      let folder = try place.run("db", "locks", ".")
      #expect(folder.status == 66)
      #expect(folder.complaint.first == "'.' is a folder, not a database.")
      try Data().write(to: place.directory.file("empty.db"))
      #expect(try place.run("db", "locks", "empty.db").status == 0)
    }

    /// Returns the traced openings of files with this name during a run of the tool.
    private func openings(of name: String, by words: [String]) throws -> [String] {
      let trace = place.directory.file("trace.txt")
      let traced = try ToolProcess.run(
        URL(filePath: "/usr/bin/env"),
        [
          "strace", "-f", "-qq", "-e", "trace=open,openat,openat2,creat", "-o", trace.path,
          ToolProcess.executable.path,
        ] + words, in: place.folder)
      #expect(traced.status == 0, "\(traced.errors)")
      return try SystemCallTrace.openings(in: trace)
        .filter { $0.contains("/\(name)") || $0.contains("\"\(name)") }
    }

    @Test(.enabled(if: SystemCallTrace.isPossible, "there is no strace, or it may not trace"))
    func noFileOfADatabaseInUseIsOpened() throws {
      #expect(try openings(of: "t.db", by: ["db", "locks", "t.db"]) == [])
      // When no process has it locked, its first bytes are read; there is no lock that this could
      // release.
      try other.close(path)
      #expect(try openings(of: "t.db", by: ["db", "locks", "t.db"]).count == 1)
    }

    /// SQLite opens its files with O_NOFOLLOW; any later opening would release its locks.
    @Test(
      .enabled(if: SystemCallTrace.isPossible, "there is no strace, or it may not trace"),
      arguments: [
        ["db", "check", "t.db"], ["db", "query", "t.db", "SELECT * FROM t"],
        ["db", "history", "t.db"], ["db", "backup", "t.db", "copy", "--replace"],
      ])
    func onlySQLiteOpensTheDatabase(words: [String]) throws {
      try DatabasePool(path: path).write { db in
        try ChangeHistory.install(on: db, tables: ["t"])
      }
      let openings = try openings(of: "t.db", by: words)
      let first = try #require(openings.firstIndex { $0.contains("O_NOFOLLOW") })
      let later = openings[first...].filter { !$0.contains("O_NOFOLLOW") }
      #expect(later == [])
      try other.close(path)
      let alone = try self.openings(of: "t.db", by: words)
      let start = try #require(alone.firstIndex { $0.contains("O_NOFOLLOW") })
      #expect(alone[start...].filter { !$0.contains("O_NOFOLLOW") } == [])
    }
  }
#endif
