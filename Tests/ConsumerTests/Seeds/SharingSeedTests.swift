import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// What seeds/002 promises about configuring, opening and busy databases.
@Suite(.timeLimit(.minutes(1))) struct SharingSeedTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("shared db.sqlite")
  }

  private func players(_ pool: DatabasePool) throws -> [String] {
    try pool.read { db in try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY name") }
  }

  @Test func oneWhoReadsOnlyFindsNothingBeforeTheDatabaseIsMade() throws {
    #expect(try openSharedReadOnlyDatabase(at: url) == nil)
    #expect(try folder.names == [])
    let writer = try openSharedDatabase(at: url)
    #expect(try writeUnlessBusy(writer, "Ann"))
    let reader = try #require(try openSharedReadOnlyDatabase(at: url))
    #expect(try players(reader) == ["Ann"])
    #expect(try writeUnlessBusy(writer, "Bob"))
    #expect(try players(reader) == ["Ann", "Bob"])
    let error = #expect(throws: DatabaseError.self) { try writeUnlessBusy(reader, "Eve") }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }

  @Test func whatIsWrongWithTheFileIsThrownAndNotTakenForAbsence() throws {
    try Data(repeating: 7, count: 4096).write(to: url)
    for open: (URL) throws -> Void in [
      { _ = try openSharedDatabase(at: $0) }, { _ = try openSharedReadOnlyDatabase(at: $0) },
    ] {
      let error = #expect(throws: DatabaseError.self) { try open(url) }
      #expect(error?.resultCode == .SQLITE_NOTADB)
    }
  }

  @Test func severalProcessesMayMakeTheDatabase() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask { [path = url.path] in
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int] in
            let pool = try openSharedDatabase(at: URL(filePath: path))
            for turn in 0..<10 {
              #expect(try writeUnlessBusy(pool, "\(number).\(turn)"))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let reader = try #require(try openSharedReadOnlyDatabase(at: url))
    let count = try await reader.read { db in
      try Int.fetchOne(db, sql: "SELECT count(DISTINCT name) FROM player")
    }
    #expect(count == 40)
  }

  /// GR-3.
  @Test func aWriteThatIsBusyForTooLongIsToldByItsCode() throws {
    let holder = try openSharedDatabase(at: url)
    let pool = try openPatientDatabase(at: url.path, timeout: 0.02)
    let isWritten = try holder.write { _ in try writeUnlessBusy(pool, "Ann") }
    #expect(!isWritten)
    #expect(try writeUnlessBusy(pool, "Ann"))
    #expect(try players(pool) == ["Ann"])
  }

  @Test func everyConnectionIsPrepared() throws {
    let pool = try openPreparedDatabase(at: url.path)
    let size: (Database) throws -> Int? = { try Int.fetchOne($0, sql: "PRAGMA cache_size") }
    #expect(try pool.write(size) == 321)
    #expect(try pool.read(size) == 321)
  }
}
