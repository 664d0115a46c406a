import CFaults
import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

struct DatabaseCheckpointTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("notes.db")
  }

  @Test func theLogOfAnotherConnectionIsMoved() async throws {
    let pool = try DatabasePool(path: url.path)
    try await pool.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
    let state = try await Database.checkpoint(databaseAt: url)
    #expect(state.walFrameCount == 2)
    #expect(state.checkpointedFrameCount == 2)
    #expect(try await Database.checkpoint(.truncate, databaseAt: url).walFrameCount == 0)
    #expect(
      try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM note") } == 0)
  }

  @Test func aDatabaseWithoutALogHasNoFrames() async throws {
    let queue = try DatabaseQueue(path: url.path)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
    let state = try await Database.checkpoint(databaseAt: url)
    #expect((state.walFrameCount, state.checkpointedFrameCount) == (-1, -1))
  }

  @Test func aMissingFileIsNotCreated() async throws {
    let error = await #expect(throws: FileError.self) {
      try await Database.checkpoint(databaseAt: url)
    }
    #expect(error?.code == .notFound)
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  #if os(Linux)
    /// In a process of its own, because a library that was loaded stays.
    @Test(.enabled(if: SecondSQLite.path != nil, "SQLite is not a library of its own here"))
    func aFileThatASecondSQLiteMayHaveOpenIsRefused() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryDirectory()
        let url = folder.file("notes.db")
        let queue = try DatabaseQueue(path: url.path)
        try await queue.write { db in try db.execute(sql: "CREATE TABLE note (text)") }
        try await Database.checkpoint(databaseAt: url)
        // A copy of the file is another library.
        let copy = folder.file("libsecond.so").path
        try FileManager.default.copyItem(atPath: try #require(SecondSQLite.path), toPath: copy)
        try #require(unsafe holdfast_load_library(copy))
        let error = await #expect(throws: DatabaseError.self) {
          try await Database.checkpoint(databaseAt: url)
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message?.contains("two copies of SQLite") == true)
        // A file that nobody has open in the process has no lock to lose.
        try queue.close()
        try await Database.checkpoint(databaseAt: url)
      }
    }
  #endif
}

#if os(Linux)
  enum SecondSQLite {
    /// The file of the SQLite that the process runs on; `nil` if it is part of the program.
    static var path: String? {
      guard let maps = FileHandle(forReadingAtPath: "/proc/self/maps"),
        let bytes = try? maps.readToEnd()
      else { return nil }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        .compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
        .first { $0.contains("/libsqlite3.so") }
    }
  }
#endif
