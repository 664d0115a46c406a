import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Openings that fail at any step: readers see a complete database or none, and the next opening
/// succeeds.
@Suite(.timeLimit(.minutes(2))) struct SharedFailureTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("t") { db in try db.execute(sql: "CREATE TABLE t (a)") }
    migrator.registerMigration("u") { db in try db.execute(sql: "CREATE TABLE u (a)") }
    return migrator
  }

  private static func open(_ url: URL) throws {
    try onThisThread { try DatabasePool.shared(at: url, migrator: migrator).close() }
  }

  /// Returns the tables that a read-only process sees; `nil` while there is no complete database.
  private static func tables(_ url: URL, exists: Bool) throws -> [String]? {
    let reader: DatabasePool?
    do {
      reader = try DatabasePool.sharedReadOnly(at: url)
    } catch let error as SharingError where exists && error.code == .needsWriter {
      // Its log was turned on, and there was no room for the log's files.
      return nil
    }
    guard let pool = reader else { return nil }
    defer { try? pool.close() }
    return try pool.blockingRead { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE length(name) < 4 ORDER BY name")
    }
  }

  /// Whether the database that is opened exists before.
  private static func prepare(_ url: URL, exists: Bool) throws {
    guard exists else { return }
    let queue = try DatabaseQueue(path: url.path)
    try queue.blockingWrite { db in try db.execute(sql: "CREATE TABLE old (a)") }
    try queue.close()
  }

  /// The results of a reader after a failed opening.
  private static func possible(exists: Bool) -> [[String]?] {
    // Of a database that exists already, each migration is complete by itself.
    exists ? [nil, ["old"], ["old", "t"], ["old", "t", "u"]] : [nil, ["t", "u"]]
  }

  private static func complete(exists: Bool) -> [String] { (exists ? ["old"] : []) + ["t", "u"] }

  private static func names(_ url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path)
  }

  // MARK: - System calls

  @Test(arguments: [true, false], [ENOSPC, EACCES])
  func aReaderSeesNothingIncompleteAfterACallThatFails(exists: Bool, number: Int32) throws {
    let traced = folder.file("traced.db")
    try Self.prepare(traced, exists: exists)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) { try Self.open(traced) }
    let calls = trace.callsSeen
    #expect(calls.contains { $0.rawValue == "symlink" })
    let errno: Errno = number == ENOSPC ? .noSpace : .accessDenied
    var failures = 0
    for ordinal in 1...calls.count {
      for fault in [
        SystemFault(atCall: ordinal, .fail(errno)),
        SystemFault(atCall: ordinal, .failFromHere(errno)),
      ] {
        let name = "fault\(ordinal).db"
        let url = folder.file(name)
        try Self.prepare(url, exists: exists)
        let comment: Comment = "\(calls[ordinal - 1]) failed, call \(ordinal)"
        do {
          try SystemCalls.$fault.withValue(fault) { try Self.open(url) }
        } catch {
          failures += 1
        }
        #expect(
          try Self.possible(exists: exists).contains(Self.tables(url, exists: exists)), comment)
        try Self.open(url)
        #expect(try Self.tables(url, exists: exists) == Self.complete(exists: exists), comment)
        let names = try folder.names.filter { $0.contains(name) }
        #expect(names == [name, name + "-shm", name + "-wal"], comment)
        for name in names { try FileManager.default.removeItem(at: folder.file(name)) }
      }
    }
    #expect(failures > 2)
  }

  // MARK: - Volumes

  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: [true, false])
  func aReaderSeesNothingIncompleteOnAVolumeWithoutRoomForAFile(exists: Bool) throws {
    var outcomes: Set<Bool> = []
    // Creating the old database takes a second file for its journal.
    for files in (exists ? 2 : 1)...6 {
      let volume = try SmallVolume(
        at: folder.file("files-\(files)"), kilobytes: 4096, files: files)
      outcomes.insert(try expectCare(on: volume, exists: exists, "\(files) files"))
    }
    #expect(outcomes == [true, false], "some had enough room")
  }

  @Test(
    .enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"),
    arguments: [true, false])
  func aReaderSeesNothingIncompleteOnAVolumeWithoutRoomForTheContent(exists: Bool) throws {
    var outcomes: Set<Bool> = []
    for kilobytes in stride(from: exists ? 16 : 8, through: 128, by: 8) {
      let volume = try SmallVolume(at: folder.file("size-\(kilobytes)"), kilobytes: kilobytes)
      outcomes.insert(try expectCare(on: volume, exists: exists, "\(kilobytes) kilobytes"))
    }
    #expect(outcomes == [true, false], "some had enough room")
  }

  /// Opens a database on a small volume, and again once there is room.
  ///
  /// - Returns: Whether the volume had enough room.
  private func expectCare(
    on volume: SmallVolume, exists: Bool, _ comment: Comment
  ) throws -> Bool {
    let url = volume.url.appending(path: "shared.db")
    try Self.prepare(url, exists: exists)
    var error: (any Error)?
    do {
      try Self.open(url)
    } catch let failure {
      error = failure
      let codes: [ResultCode] = [.SQLITE_FULL, .SQLITE_CANTOPEN, .SQLITE_IOERR]
      #expect(
        (failure as? FileError)?.code == .noSpace
          || (failure as? DatabaseError).map { codes.contains($0.resultCode) } == true
          || failure is SharingError,
        "\(comment): \(failure)")
    }
    // A marker without a database would not be removed with it.
    let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
    if size ?? 0 == 0 {
      #expect(try !Self.names(volume.url).contains(".shared.db.creating"), comment)
    }
    try volume.grow(toKilobytes: 4096)
    #expect(try Self.possible(exists: exists).contains(Self.tables(url, exists: exists)), comment)
    if error == nil {
      #expect(try Self.tables(url, exists: exists) == Self.complete(exists: exists), comment)
    }
    try Self.open(url)
    #expect(try Self.tables(url, exists: exists) == Self.complete(exists: exists), comment)
    #expect(
      try Self.names(volume.url).sorted() == ["shared.db", "shared.db-shm", "shared.db-wal"],
      comment)
    return error == nil
  }
}
