import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// One history that several processes write and read.
@Suite(.enabled(if: ForeignWriter.areThere, "The sqlite3 tool and Python write."))
struct HistoryProcessTests {
  private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)"

  /// GR-B9: which rows changed, and by which author, since a process last read, however long ago.
  @Test(.timeLimit(.minutes(1)))
  func aRestartedProcessFetchesExactlyWhatItMissed() async throws {
    let file = try HistoryFile(Self.table)
    let path = file.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let pool = try HistoryFile.open(path, author: "widget")
      try pool.blockingWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES (1, 'ours'), (2, 'x'), (3, 'y')")
        try ChangeHistory.moveConsumer("widget", to: ChangeHistory.currentToken(db), db)
      }
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let pool = try HistoryFile.open(path, author: "app")
      try pool.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (4, 'theirs')") }
    }
    try ForeignWriter.shell.run("DELETE FROM t WHERE id = 2;", on: path)
    try ForeignWriter.python.run("REPLACE INTO t VALUES (5, 'y');", on: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let pool = try HistoryFile.open(path, author: "widget")
      let token = try #require(
        try pool.blockingRead { db in try ChangeHistory.token(ofConsumer: "widget", db) })
      let changes = try pool.blockingRead { db in
        try ChangeHistory.changes(db, after: token, excluding: "widget")
      }.changes
      #expect(changes.map(\.line) == ["insert t 4", "delete t 2", "delete t 3", "insert t 5"])
      #expect(changes.map(\.author) == ["app", nil, nil, nil])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aForeignCommitIsNotAttributedToAKilledProcess() async throws {
    let file = try HistoryFile(Self.table)
    let token = try file.token()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let pool = try HistoryFile.open(path, author: "killed")
      try pool.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (1, 'a')") }
      try pool.blockingWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES (2, 'half')")
        kill(getpid(), SIGKILL)
      }
    }
    try ForeignWriter.python.run("INSERT INTO t VALUES (3, 'c');", on: file.path)
    let changes = try file.changes(after: token)
    #expect(changes.map(\.line) == ["insert t 1", "insert t 3"])
    #expect(changes.map(\.author) == ["killed", nil])
  }

  @Test(.timeLimit(.minutes(1)))
  func alternatingWritersAreDistinguished() async throws {
    let file = try HistoryFile(Self.table, author: "app")
    for round in 0..<5 {
      try file.write("INSERT INTO t (a) VALUES ('app \(round)')")
      try ForeignWriter.shell.run("INSERT INTO t (a) VALUES ('shell \(round)');", on: file.path)
    }
    #expect(
      try file.changes(.everyChange).map(\.author)
        == (0..<5).flatMap { _ in ["app", nil] as [String?] })
  }

  /// Several processes that open a new file at the same time create one history.
  @Test(.timeLimit(.minutes(2)))
  func concurrentlyOpeningProcessesCreateOneHistory() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    await withTaskGroup { group in
      for number in 0..<4 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int] in
            var configuration = Configuration()
            configuration.historyAuthor = "process \(number)"
            configuration.busyMode = .timeout(60)
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.blockingWrite { db in
              try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, a)")
              try ChangeHistory.install(on: db, tables: ["t"])
              try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
            }
          }
        }
      }
    }
    let pool = try HistoryFile.open(path)
    let changes = try pool.blockingRead { db in try ChangeHistory.changes(db, after: nil) }.changes
    #expect(Set(changes.map(\.author)) == Set((0..<4).map { "process \($0)" }))
    #expect(changes.count == 4)
  }
}
