import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastTool

/// `holdfast inspect` on a database that this process has open, as an app has.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LiveInspectionTests {
  private let directory: TemporaryDirectory
  private let url: URL
  private let app: DatabasePool

  init() throws {
    directory = try TemporaryDirectory()
    url = directory.file("app.sqlite")
    app = try DatabasePool(path: url.path(percentEncoded: false))
    try app.write { db in
      try db.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, x); INSERT INTO t VALUES (1, 'a')")
    }
  }

  private func locks(of number: Int32) throws -> [LockTable.Lock] {
    try LockTable(ofDatabaseAt: url).locks(heldBy: number)
  }

  @Test func aDatabaseInUseIsReadWhereItIs() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let schema = try inspector.get("api/database/\(id)")
    #expect(schema["mode"] as? String == "live")
    #expect((schema["mode_reason"] as? String)?.contains("It is ") == true)
    // What is committed now is in the next answer.
    try app.write { db in try db.execute(sql: "INSERT INTO t VALUES (2, 'b')") }
    let page = try inspector.get("api/database/\(id)/rows?table=t")
    #expect((page["rows"] as? [Any])?.count == 2)
    // An open transaction in the app keeps nobody waiting.
    try app.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (3, 'c')")
      let page = try inspector.get("api/database/\(id)/rows?table=t")
      #expect((page["rows"] as? [Any])?.count == 2)
    }
  }

  @Test func aDatabaseThatIsMadeAnewIsTheOneThatIsRead() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let address = "api/database/\(try inspector.id(of: "database"))/rows?table=t"
    #expect((try inspector.get(address)["rows"] as? [Any])?.count == 1)
    // The app has not closed the one that it removed.
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: url.path(percentEncoded: false) + suffix)
    }
    let other = try DatabasePool(path: url.path(percentEncoded: false))
    try other.write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (7), (8)")
    }
    #expect((try inspector.get(address)["rows"] as? [Any])?.count == 2)
    try other.close()
    try app.close()
  }

  @Test func betweenRequestsItHoldsNoMoreThanAnIdleReader() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { events.end() }
    _ = try events.next("state")
    _ = try inspector.get("api/database/\(id)/rows?table=t")
    _ = try inspector.get("api/database/\(id)")
    // Of an idle reader SQLite keeps the lock that says that the log is in use, and the one of a database in WAL mode.
    var held = try locks(of: inspector.number)
    // The page's watch looks ten times a second, for a moment.
    for _ in 0..<1000 where held.contains(where: \.isOfTransaction) {
      held = try locks(of: inspector.number)
    }
    #expect(!held.isEmpty)
    #expect(!held.contains { $0.isOfTransaction }, "\(held)")
    // So that a checkpoint of the app gets through to the end of the log.
    try app.write { db in try db.execute(sql: "INSERT INTO t VALUES (9, 'z')") }
    try app.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    #expect(try Data(contentsOf: URL(filePath: url.path + "-wal")).isEmpty)
  }

  @Test func commitsArriveAsTheyHappen() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { events.end() }
    let state = try #require(try events.next("state"))
    #expect(state["mode"] as? String == "live")
    #expect(state["journal_mode"] as? String == "wal")
    let locks = try #require(state["locks"] as? [[String: Any]])
    #expect(locks.contains { $0["own"] as? Bool == true })
    for number in 10..<15 {
      try app.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?, 'x')", arguments: [number])
      }
      let commit = try #require(try events.next("commit"))
      #expect(commit["tables"] is NSNull)
      #expect(commit["time"] as? String != nil)
    }
    // Two pages see the same.
    let others = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { others.end() }
    _ = try others.next("state")
    try app.write { db in try db.execute(sql: "DELETE FROM t WHERE id = 10") }
    #expect(try events.next("commit") != nil)
    #expect(try others.next("commit") != nil)
  }

  @Test func aCommitOfADatabaseWithAHistoryHasItsRows() throws {
    try app.write { db in try ChangeHistory.install(on: db, tables: ["t"]) }
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { events.end() }
    #expect(try events.next("state")?["has_history"] as? Bool == true)
    try app.write { db in try db.execute(sql: "UPDATE t SET x = 'y' WHERE id = 1") }
    while let commit = try events.next("commit") {
      // The first one may have been made before.
      guard let change = (commit["changes"] as? [[String: Any]])?.first else { continue }
      #expect(change["table"] as? String == "t")
      #expect(change["kind"] as? String == "update")
      #expect((change["key"] as? [String: Any])?["id"] as? Int == 1)
      break
    }
  }

  @Test func aLockIsSeenWhileItIsHeld() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { events.end() }
    _ = try events.next("state")
    let number = Int(ProcessInfo.processInfo.processIdentifier)
    try app.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (20, 'x')")
      while let change = try events.next("locks") {
        let locks = try #require(change["locks"] as? [[String: Any]])
        if locks.contains(where: { $0["pid"] as? Int == number && $0["mode"] as? String == "write" }
        ) {
          break
        }
      }
    }
  }

  #if os(Linux)
    @Test func aStoppedProcessIsShownWithItsLocks() throws {
      let other = try OtherSQLite()
      let path = url.path(percentEncoded: false)
      try other.run("BEGIN IMMEDIATE", on: path)
      let inspector = try InspectorProcess(directory.url)
      defer { inspector.interrupt() }
      let events = try EventReader(
        inspector.client.base + "events?database=\(try inspector.id(of: "database"))")
      defer { events.end() }
      let number = Int(other.processIdentifier)
      /// Whether the process is said to be stopped; `nil` when it holds no lock that excludes others.
      func isStopped(_ data: [String: Any]?) throws -> Bool? {
        let locks = try #require(data?["locks"] as? [[String: Any]])
        let own = locks.first { $0["pid"] as? Int == number && $0["mode"] as? String == "write" }
        return try own.map { try #require($0["stopped"] as? Bool) }
      }
      #expect(try isStopped(events.next("state")) == false)
      other.halt()
      while try isStopped(events.next("locks")) != true {}
      let listed = try ToolProcess.run("db", "locks", path)
      #expect(listed.errors.contains("(\(number)) is stopped, and keeps its locks"))
      other.resume()
      while try isStopped(events.next("locks")) != false {}
      try other.run("ROLLBACK", on: path)
      while try isStopped(events.next("locks")) != nil {}
    }
  #endif

  /// `HOLDFAST_CASES=1000` suspends a thousand times.
  @Test func suspensionsOfTheAppLeaveNoLockWhileAPageIsOpen() throws {
    try app.close()
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let app = try DatabasePool(
      path: url.path(percentEncoded: false), configuration: configuration)
    defer { try? app.close() }
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { events.end() }
    _ = try events.next("state")
    let count = ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 30
    for number in 100..<100 + count {
      try app.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?, 'x')", arguments: [number])
      }
      app.suspend()
      #expect(try LockTable.locksOfThisProcess(onDatabasesAt: [url]) == [])
      app.resume()
    }
    let answer = try inspector.get("api/database/\(id)/count?table=t")
    #expect(answer["rows"] as? Int == count + 1)
  }

  @Test func aDatabaseThatIsClosedIsReadFromACopyAndBack() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    #expect(try inspector.get("api/database/\(id)")["mode"] as? String == "live")
    try app.close()
    // Users are looked for every two seconds.
    while try inspector.get("api/database/\(id)")["mode"] as? String == "live" {}
    let again = try DatabasePool(path: url.path(percentEncoded: false))
    defer { try? again.close() }
    try again.write { db in try db.execute(sql: "INSERT INTO t VALUES (30, 'x')") }
    // A copy is compared with the files at each request.
    #expect(try inspector.get("api/database/\(id)")["mode"] as? String == "live")
    let page = try inspector.get("api/database/\(id)/rows?table=t")
    #expect((page["rows"] as? [Any])?.count == 2)
  }

  @Test func aWriterWithoutALogIsSeenAlthoughItKeepsReadersOut() throws {
    let other = directory.file("journal.sqlite")
    let queue = try DatabaseQueue(path: other.path(percentEncoded: false))
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    try queue.inDatabase { db in
      try db.execute(sql: "BEGIN EXCLUSIVE")
      let inspector = try InspectorProcess(other)
      defer { inspector.interrupt() }
      let id = try inspector.id(of: "database")
      let events = try EventReader(inspector.client.base + "events?database=\(id)")
      defer { events.end() }
      let state = try #require(try events.next("state"))
      let number = Int(ProcessInfo.processInfo.processIdentifier)
      let locks = try #require(state["locks"] as? [[String: Any]])
      #expect(
        locks.contains { $0["pid"] as? Int == number && $0["mode"] as? String == "write" },
        "\(state)")
      #expect(state["journal_mode"] is NSNull)
      try db.execute(sql: "COMMIT")
      // And what it kept from being read comes after it.
      while let state = try events.next("state") {
        if state["journal_mode"] as? String == "delete" { break }
      }
    }
  }

  @Test func theFirstEventIsTheState() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let address = inspector.client.base + "events?database=\(id)"
    let first = try EventReader(address)
    defer { first.end() }
    _ = try first.next("state")
    let isOver = Mutex(false)
    let writer = Thread { [app] in
      while !isOver.withLock({ $0 }) {
        try? app.write { db in try db.execute(sql: "UPDATE t SET x = random()") }
      }
    }
    writer.start()
    defer { isOver.withLock { $0 = true } }
    for _ in 0..<20 {
      let events = try EventReader(address)
      defer { events.end() }
      #expect(try events.nextName() == "state")
      #expect(try events.nextName() != nil)
    }
  }

  @Test func aHistoryThatIsMadeLaterIsShown() throws {
    let inspector = try InspectorProcess(directory.url)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    let events = try EventReader(inspector.client.base + "events?database=\(id)")
    defer { events.end() }
    #expect(try events.next("state")?["has_history"] as? Bool == false)
    try app.write { db in try ChangeHistory.install(on: db, tables: ["t"]) }
    while let state = try events.next("state") {
      if state["has_history"] as? Bool == true { break }
    }
    // More than one event has.
    try app.write { db in
      for number in 1000..<2000 {
        try db.execute(sql: "INSERT INTO t VALUES (?, 'x')", arguments: [number])
      }
    }
    while let commit = try events.next("commit") {
      guard let changes = commit["changes"] as? [[String: Any]], !changes.isEmpty else { continue }
      #expect(changes.count == LiveWatch.mostChanges)
      #expect((changes.first?["key"] as? [String: Any])?["id"] as? Int == 1000)
      break
    }
  }

  @Test func aLogThatIsSwitchedOnLaterIsNotMadeByAReader() throws {
    let other = directory.file("later.sqlite")
    let path = other.path(percentEncoded: false)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    let inspector = try InspectorProcess(other)
    defer { inspector.interrupt() }
    let id = try inspector.id(of: "database")
    // In this mode SQLite has a log without the shared memory that readers need.
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL")
      try db.execute(sql: "INSERT INTO t VALUES (1)")
    }
    let page = try inspector.get("api/database/\(id)/rows?table=t")
    #expect((page["rows"] as? [Any])?.count == 1)
    #expect(try inspector.get("api/database/\(id)")["mode"] as? String == "copied")
    #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
  }
}

extension LockTable.Lock {
  /// Whether it is held for the time of a transaction, and no longer.
  fileprivate var isOfTransaction: Bool {
    if case .readMark = name { return true }
    return mode == .write
  }
}
