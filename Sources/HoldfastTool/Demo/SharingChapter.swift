import Foundation
import Holdfast
import HoldfastFiles

/// The chapter in which two processes write to one database, and the system suspends one of them
/// during a write.
struct SharingChapter: DemoChapter {
  let title = "The system stops the app in the middle of a write"

  /// The observations while the app was suspended.
  private struct Pause {
    var report: SuspensionReport
    /// The app's locks before and after, if the system reports a process's own locks to it.
    var locks: (before: [LockTable.Lock], after: [LockTable.Lock])?
    /// The duration of a write by the other process, in milliseconds.
    var otherWrite: Int
    /// Whether the rest of the app's write was refused.
    var isRefused: Bool
  }

  func run(_ stage: DemoStage) async throws {
    let url = try stage.app.notesURL()
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(
      path: url.path(percentEncoded: false), configuration: configuration)
    defer { pool.closeIgnoringErrors() }
    try await pool.write { db in
      try db.execute(sql: "DROP TABLE IF EXISTS note; CREATE TABLE note (text TEXT NOT NULL)")
    }
    var notes = Self.notes.values(in: pool).makeAsyncIterator()
    let other = try SecondWriter(of: url)
    defer { other.end() }

    _ = try other.write("hello")
    try stage.prove(
      "the app observes what process \(other.process) writes",
      try await Self.isSeen(["hello"], in: &notes))
    let pause = try Self.pause(pool, at: url, with: other)
    if let (before, after) = pause.locks {
      try stage.say("It is stopped when it has written half, and holds \(Self.names(before)).")
      try stage.prove(
        "when 'suspend' returns, the kernel's table of locks has none of its",
        !before.isEmpty && after.isEmpty)
    }
    let time = String(format: "%.1f", pause.report.duration / .milliseconds(1))
    try stage.prove(
      "the report says so too: after \(time) ms it was free of locks", pause.report.isFree)
    try stage.prove(
      "meanwhile the other process writes in \(pause.otherWrite) ms, without waiting",
      pause.otherWrite < 1000)

    pool.resume()
    try stage.prove(
      "resumed, it observes the other's note; its own half is gone, and its write was refused",
      try await Self.isSeen(["hello", "theirs"], in: &notes) && pause.isRefused)
    _ = try other.write("theirs again")
    try await pool.write { db in try Self.insert("ours", db) }
    try stage.prove(
      "both go on: it observes all four notes",
      try await Self.isSeen(["hello", "theirs", "theirs again", "ours"], in: &notes))
  }

  /// Suspends the database during a write of this process.
  private static func pause(
    _ pool: DatabasePool, at url: URL, with other: SecondWriter
  ) throws -> Pause {
    var pause: Pause?
    do {
      try pool.write { db in
        try insert("half", db)
        let before = try ownLocks(on: url)
        let report = pool.suspend()
        let after = try ownLocks(on: url)
        pause = Pause(
          report: report, locks: before.flatMap { before in after.map { (before, $0) } },
          otherWrite: try other.write("theirs"), isRefused: false)
        try insert("the other half", db)
      }
    } catch let error as DatabaseError where error.isDatabaseSuspensionError {
      pause?.isRefused = true
    }
    guard let pause else { throw ToolError.demoDisproved("a write can be suspended") }
    return pause
  }

  private static func insert(_ text: String, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text])
  }

  private static let notes = ValueObservation.tracking { db in
    try String.fetchAll(db, sql: "SELECT text FROM note")
  }

  /// Waits for a value of the observation, and returns whether it arrives.
  private static func isSeen(
    _ value: [String], in notes: inout AsyncValueObservation<[String]>.Iterator
  ) async throws -> Bool {
    while let seen = try await notes.next() {
      if seen == value { return true }
    }
    return false
  }

  private static func ownLocks(on url: URL) throws -> [LockTable.Lock]? {
    do throws(FileError) {
      return try LockTable.locksOfThisProcess(onDatabasesAt: [url])
    } catch {
      guard error.code == .unsupported else { throw error }
      return nil
    }
  }

  private static func names(_ locks: [LockTable.Lock]) -> String {
    locks.map { "\($0.name)" }.joined(separator: ", ")
  }
}
