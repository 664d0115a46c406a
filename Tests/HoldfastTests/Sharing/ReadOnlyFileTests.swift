import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Files that are part of the app, and the way in which they are opened.
@Suite struct ReadOnlyFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Creates a file in one of the two modes, and closes it.
  private func makeFile(_ name: String = "t.db", hasLog: Bool = false) throws -> URL {
    let url = folder.file(name)
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    try queue.writeWithoutTransaction { db in
      if hasLog { try db.execute(sql: "PRAGMA journal_mode = WAL") }
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('first')")
    }
    try queue.close()
    return url
  }

  private func values(_ reader: some DatabaseReader) throws -> [String] {
    try reader.read { db in try String.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid") }
  }

  // MARK: - The decision

  private func header(
    hasLog: Bool, stated: Int = 2, found: Int64 = 8192, magic: String = "SQLite format 3\0",
    counter: UInt8 = 1
  ) -> DatabaseHeader {
    var bytes = Array(magic.utf8) + [UInt8](repeating: 0, count: 84)
    bytes[16] = 16
    bytes[18] = hasLog ? 2 : 1
    bytes[19] = bytes[18]
    bytes[27] = counter
    bytes[31] = UInt8(stated)
    bytes[95] = 1
    return DatabaseHeader(bytes, fileByteCount: found)
  }

  private func access(
    _ header: DatabaseHeader, wal: Int64? = nil, journal: Int64? = nil, shm: Bool = false,
    isNeverModified: Bool, canDecrypt: Bool = false
  ) -> ReadOnlyAccess {
    ReadOnlyAccess(
      header, .init(logByteCount: wal, journalByteCount: journal, hasSharedMemory: shm),
      isNeverModified: isNeverModified, canDecrypt: canDecrypt)
  }

  @Test func onlyANeverModifiedFileIsReadWithoutLocks() {
    for hasLog in [false, true] {
      let header = header(hasLog: hasLog)
      #expect(access(header, isNeverModified: true) == .immutable)
      #expect(access(header, wal: 0, journal: 0, shm: true, isNeverModified: true) == .immutable)
      #expect(access(header, wal: 0, shm: true, isNeverModified: false) == .readOnly)
      for isNeverModified in [false, true] {
        #expect(access(header, wal: 32, shm: true, isNeverModified: isNeverModified) == .readOnly)
        #expect(
          access(header, wal: 32, isNeverModified: isNeverModified) == .refused(.logFilesMissing))
        #expect(
          access(header, journal: 512, isNeverModified: isNeverModified)
            == (hasLog ? .refused(.logFilesMissing) : .readOnly))
      }
    }
    #expect(access(header(hasLog: false), isNeverModified: false) == .readOnly)
    #expect(access(header(hasLog: true), isNeverModified: false) == .refused(.logFilesMissing))
    #expect(
      access(header(hasLog: true), shm: true, isNeverModified: false)
        == .refused(.logFilesMissing))
  }

  @Test func `The journal mode of an encrypted file may be unknown, and is then not guessed`() {
    let hidden = header(hasLog: true, magic: "an encrypted one")
    #expect(hidden.encryption == .possible && !hidden.hasWriteAheadLog)
    #expect(access(hidden, isNeverModified: true) == .refused(.notADatabase))
    func decrypting(
      _ header: DatabaseHeader, wal: Int64? = nil, shm: Bool = false, isNeverModified: Bool
    ) -> ReadOnlyAccess {
      access(header, wal: wal, shm: shm, isNeverModified: isNeverModified, canDecrypt: true)
    }
    #expect(decrypting(hidden, isNeverModified: true) == .immutable)
    #expect(decrypting(hidden, isNeverModified: false) == .refused(.logFilesMayBeMissing))
    #expect(decrypting(hidden, wal: 0, isNeverModified: false) == .refused(.logFilesMissing))
    #expect(decrypting(hidden, wal: 0, shm: true, isNeverModified: false) == .readOnly)
    let odd = header(hasLog: false, found: 8191, magic: "an encrypted one")
    #expect(decrypting(odd, isNeverModified: true) == .refused(.notADatabase), "no whole pages")
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
    (bytes[18], bytes[19], bytes[47], bytes[59]) = (2, 2, 77, 77)
    let readable = DatabaseHeader(bytes, fileByteCount: 8192)
    #expect(readable.encryption == .afterPlaintextHeader)
    #expect(access(readable, isNeverModified: false) == .refused(.logFilesMissing))
    for (header, hasKey, fault): (_, _, DatabaseError.EncryptionFault?) in [
      (readable, true, .wrongKey), (readable, false, .missingKey), (hidden, true, .wrongKey),
      (hidden, false, .missingKey), (header(hasLog: false), true, .notEncrypted),
      (header(hasLog: false), false, nil), (odd, false, nil),
    ] {
      #expect(KeyDiagnosis.fault(of: header, hasKey: hasKey, canDecrypt: true) == fault)
    }
    #expect(KeyDiagnosis.fault(of: hidden, hasKey: false, canDecrypt: false) == nil)
  }

  @Test func theFileLengthIsComparedWithTheHeader() {
    for found: Int64 in [4096, 8191] {
      #expect(
        access(header(hasLog: false, found: found), isNeverModified: true)
          == .refused(.incomplete(stated: 8192, found: found)))
      // Another process may be writing it at this time.
      #expect(access(header(hasLog: false, found: found), isNeverModified: false) == .readOnly)
      #expect(
        access(header(hasLog: false, found: found, counter: 2), isNeverModified: true)
          == .immutable)
      #expect(
        access(header(hasLog: false, stated: 0, found: found), isNeverModified: true)
          == .immutable)
    }
    // SQLite ignores what follows the last page.
    #expect(access(header(hasLog: false, found: 12288), isNeverModified: true) == .immutable)
    #expect(
      access(header(hasLog: false, magic: "SQLite format 4\0"), isNeverModified: true)
        == .refused(.notADatabase))
  }

  // MARK: - Files

  @Test(arguments: ["t.db", "100%41 #1?x.db", "Ström/ä?mode=rw&x=%00.db", "file:a.db", "a;b&c=d+e"])
  func aPathIsNotAURI(name: String) throws {
    if name.contains("/") {
      try FileManager.default.createDirectory(
        at: folder.file("Ström"), withIntermediateDirectories: true)
    }
    let url = try makeFile(name, hasLog: true)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    for isRepeated in [false, true] {
      let queue = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
      #expect(try values(queue) == ["first"], "\(isRepeated)")
      let pool = try DatabasePool(readOnlyFileAt: url, isNeverModified: true)
      #expect(try values(pool) == ["first"])
      #expect(pool.path == url.path(percentEncoded: false))
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == names)
    }
  }

  @Test func relativePathsAndDoubledSlashesAreEscaped() throws {
    let url = try makeFile("100%41 #1?x.db")
    for path in ["/" + url.path(percentEncoded: false), "//" + url.path(percentEncoded: false)] {
      let queue = try DatabaseQueue(
        at: .immutableFile(path), configuration: Configuration(readonly: true))
      #expect(try values(queue) == ["first"])
    }
    let error = #expect(throws: DatabaseError.self) {
      try DatabaseQueue(
        at: .immutableFile("no such %41 #1?x.db"), configuration: Configuration(readonly: true))
    }
    #expect(error?.resultCode == .SQLITE_CANTOPEN)
    for path in ["", "a\0b"] {
      #expect(throws: DatabaseError.self) {
        try DatabaseQueue(
          at: .immutableFile(path), configuration: Configuration(readonly: true))
      }
    }
  }

  @Test func aMissingFileIsNotCreated() throws {
    for isNeverModified in [false, true] {
      let error = #expect(throws: DatabaseError.self) {
        try DatabaseQueue(
          readOnlyFileAt: folder.file("no %41 such?.db"), isNeverModified: isNeverModified)
      }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      #expect(error?.systemErrno == ENOENT)
    }
    #expect(try folder.names == [])
  }

  @Test func aNeverModifiedFileIsReadWithoutALock() throws {
    let url = try makeFile(hasLog: true)
    let pool = try DatabasePool(readOnlyFileAt: url, isNeverModified: true)
    try pool.read { (db) throws -> Void in
      #expect(try String.fetchAll(db, sql: "SELECT a FROM t") == ["first"])
      #expect(try HeldLocks.onDatabase(at: url.path) == [])
    }
    // A snapshot behaves the same.
    let snapshot = try pool.makeSnapshot()
    #expect(try values(snapshot) == ["first"])
    #expect(try HeldLocks.onDatabase(at: url.path) == [])
    #expect(try folder.names == ["t.db"])
    let error = #expect(throws: DatabaseError.self) {
      try pool.write { db in try db.execute(sql: "DELETE FROM t") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }

  @Test func theContentOfTheLogIsRead() throws {
    let url = try makeFile(hasLog: true)
    let writer = try DatabaseQueue(path: url.path)
    try writer.write { db in try db.execute(sql: "INSERT INTO t VALUES ('second')") }
    let reader = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
    #expect(try values(reader) == ["first", "second"])
  }

  @Test(.disabled(if: ConnectionKeys.areUsed, "an encrypted file does not say how long it is"))
  func aShortFileIsRefused() throws {
    let url = try makeFile()
    let whole = try Data(contentsOf: url)
    try whole.dropLast(1000).write(to: url)
    let error = #expect(throws: SharingError.self) {
      try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
    }
    #expect(error?.code == .incomplete)
    #expect(error?.message.contains("\(whole.count) bytes, and \(whole.count - 1000)") == true)
    try Data().write(to: url)
    let empty = #expect(throws: SharingError.self) {
      try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
    }
    #expect(empty?.code == .notADatabase)
  }

  @Test func aHotJournalNeedsAWriter() throws {
    let url = try makeFile()
    // A hot journal written by SQLite: a copy of the files in the middle of a transaction.
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE;
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          INSERT INTO t SELECT hex(randomblob(40)) FROM n;
          """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: url.path + suffix, toPath: folder.file("hot.db").path + suffix)
      }
      try db.execute(sql: "ROLLBACK")
    }
    let names = try folder.names
    for isNeverModified in [false, true] {
      let error = #expect(throws: SharingError.self) {
        try DatabaseQueue(
          readOnlyFileAt: folder.file("hot.db"), isNeverModified: isNeverModified)
      }
      #expect(error?.code == .needsWriter)
    }
    #expect(try folder.names == names)
  }

  /// Law 1: SQLite itself reads the header, so no lock of this process is released.
  @Test(.disabled(if: ConnectionKeys.areUsed, "the header cannot be read without the key"))
  func examiningAnOpenFileKeepsItsLocks() throws {
    let url = try makeFile(hasLog: true)
    let pool = try DatabasePool(path: url.path)
    try pool.write { db in
      try db.execute(sql: "INSERT INTO t VALUES ('second')")
      // The kernel's table is read in pieces; one read can miss a line but never adds one.
      func mostLocks() throws -> Int {
        try (0..<50).map { _ in try HeldLocks.onDatabase(at: url.path).count }.max() ?? 0
      }
      let before = try mostLocks()
      #expect(before > 0)
      #expect(try DatabaseHeader(ofFileAt: url.path).hasWriteAheadLog)
      let reader = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: false)
      #expect(try values(reader) == ["first"])
      try reader.close()
      #expect(try mostLocks() == before)
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func aFileInLogModeIsReadInAnUnwritableFolder() async throws {
    let url = try makeFile(hasLog: true)
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      let queue = try DatabaseQueue(readOnlyFileAt: url, isNeverModified: true)
      #expect(
        try queue.blockingRead { db in try String.fetchOne(db, sql: "SELECT a FROM t") } == "first")
      let error = #expect(throws: SharingError.self) {
        try DatabaseQueue(readOnlyFileAt: url, isNeverModified: false)
      }
      #expect(error?.code == .needsWriter)
    }
    #expect(try folder.names == ["t.db"])
  }
}

extension Configuration {
  fileprivate init(readonly: Bool) {
    self.init()
    self.readonly = readonly
  }
}
