import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger
import HoldfastTestSupport
import Testing

/// Lengths and digests of files whose table was adopted without them.
struct DigestRecordingTests {
  private func files(_ shelf: Bookshelf, _ numbers: ClosedRange<Int>) throws {
    for number in numbers {
      try shelf.file("@caches/downloads/\(number).m4b", "content of \(number)")
      try shelf.insert("\(number)", "downloads/\(number).m4b")
    }
  }

  @Test func aRenamedFileOfAnAdoptedTableIsFound() async throws {
    let shelf = try Bookshelf()
    try files(shelf, 1...120)
    try shelf.insert("gone", "downloads/gone.m4b")
    let ledger = try await shelf.adopted()
    let rows = try await shelf.queue.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM local_audio_file_downloads").map(\.databaseValues)
    }
    let report = try await ledger.recordDigests()
    #expect(report.isComplete)
    #expect(report.recorded == 120)
    #expect(report.absent == 1)
    #expect(report.problems.isEmpty)
    let path = try RelocatablePath(text: "@caches/downloads/7.m4b")
    #expect(try await ledger.record("7")?.digest == FileDigest(of: shelf.container.url(for: path)))
    // The app's rows are not touched.
    let after = try await shelf.queue.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM local_audio_file_downloads").map(\.databaseValues)
    }
    #expect(after == rows)
    let new = try shelf.container.url(for: RelocatablePath(text: "@documents/renamed"))
    try FileManager.default.moveItem(at: shelf.container.url(for: path), to: new)
    let repair = try await ledger.repairAll()
    #expect(repair.items.first { $0.id == "7" }?.action == .repaired(.identity))
    #expect(try shelf.text("7") == "D:renamed")
  }

  @Test func aFileIsReadOnce() async throws {
    let shelf = try Bookshelf()
    try files(shelf, 1...3)
    let ledger = try await shelf.adopted()
    let read = Journal<RecordID>()
    var first = try await ledger.recordDigests(budget: .zero) { read.append($0) }
    #expect(first.recorded == 1)
    #expect(!first.isComplete)
    while !first.isComplete {
      first = try await ledger.recordDigests(budget: .zero) { read.append($0) }
    }
    #expect(read.entries.count == 3)
    #expect(Set(read.entries).count == 3)
    #expect(try await ledger.recordDigests { read.append($0) }.recorded == 0)
    #expect(read.entries.count == 3)
  }

  @Test func databasesAndOpenFilesAreNotRead() async throws {
    let shelf = try Bookshelf()
    try files(shelf, 1...2)
    let database = try shelf.container.url(for: RelocatablePath(text: "@documents/a.db"))
    let queue = try DatabaseQueue(path: database.path)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (x)") }
    try shelf.insert("db", "D:a.db")
    let url = try shelf.container.url(for: RelocatablePath(text: "@caches/downloads/2.m4b"))
    let open = try FileHandle(forReadingFrom: url)
    let ledger = try await shelf.adopted()
    let report = try await ledger.recordDigests()
    #expect(report.recorded == 1)
    #expect(report.unread == 2)
    #expect(Set(report.problems.map(\.id)) == ["2", "db"])
    try open.close()
    #expect(try await ledger.recordDigests().recorded == 1)
    try queue.close()
  }

  @Test func aDigestOfARecordThatChangedMeanwhileIsNotStored() async throws {
    let shelf = try Bookshelf()
    try files(shelf, 1...2)
    let ledger = try await shelf.adopted()
    let new = try shelf.file("@documents/new.m4b", "another edition")
    let digest = try FileDigest(of: shelf.container.url(for: new))
    let queue = shelf.queue
    let report = try await ledger.recordDigests { id in
      // The app downloads the first one again, elsewhere, and replaces the second one.
      do {
        try queue.write { db in
          if id == "1" { try ledger.record(db, "1", at: new, digest: digest) }
          if id == "2" {
            try db.execute(
              sql: """
                UPDATE local_audio_file_downloads SET is_downloaded = 0 WHERE audio_file_id = '2'
                """)
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(report.recorded == 0)
    #expect(try await ledger.record("1")?.digest == digest)
    #expect(try await ledger.record("2")?.digest == nil)
  }

  @Test func theDigestOfAnEarlierFileIsReplaced() async throws {
    let shelf = try Bookshelf()
    try files(shelf, 1...1)
    let ledger = try await shelf.adopted()
    #expect(try await ledger.recordDigests().recorded == 1)
    let new = try shelf.file("@caches/other.m4b", "another edition")
    try await shelf.queue.write { db in
      try db.execute(sql: "UPDATE local_audio_file_downloads SET download_path = 'other.m4b'")
    }
    #expect(try await ledger.record("1")?.digest == nil)
    #expect(try await ledger.recordDigests().recorded == 1)
    #expect(try await ledger.record("1")?.digest == FileDigest(of: shelf.container.url(for: new)))
  }

  @Test func rowsWithACompositeIdentifierAreAllRead() async throws {
    let shelf = try Bookshelf(
      """
      CREATE TABLE part (book TEXT, number INTEGER, path TEXT, PRIMARY KEY (book, number))
        WITHOUT ROWID
      """)
    for number in 1...120 {
      try shelf.file("@documents/\(number)", "part \(number)")
      try await shelf.queue.write { db in
        try db.execute(
          sql: "INSERT INTO part VALUES (?, ?, ?)",
          arguments: ["book \(number % 3)", number, "\(number)"])
      }
    }
    let ledger = try await shelf.adopted(
      LedgerTable(
        name: "part", idColumns: ["book", "number"], pathColumn: "path",
        dialect: .relative(to: .documents)))
    #expect(try await ledger.recordDigests().recorded == 120)
    #expect(try await ledger.recordDigests().recorded == 0)
  }

  @Test func aCancelledRecordingKeepsWhatItHasRead() async throws {
    let shelf = try Bookshelf()
    try files(shelf, 1...120)
    let ledger = try await shelf.adopted()
    let tasks = Journal<Task<DigestReport, any Error>>()
    let begins = Gate()
    let task = Task {
      try await ledger.recordDigests { id in
        begins.wait()
        // In the second chunk.
        if id == "60" { tasks.entries.first?.cancel() }
      }
    }
    tasks.append(task)
    begins.open()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let count = try await shelf.queue.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM holdfast_ledger_files")
    }
    #expect(count == 59)
    #expect(try await ledger.recordDigests().recorded == 61)
  }
}
