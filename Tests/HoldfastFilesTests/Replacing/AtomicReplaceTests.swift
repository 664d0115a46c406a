import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct AtomicReplaceTests {
  let directory: TemporaryDirectory
  let book: URL

  init() throws {
    directory = try TemporaryDirectory()
    book = directory.file("book.db")
  }

  private func content() throws -> String {
    String(decoding: try Data(contentsOf: book), as: UTF8.self)
  }

  @Test func onlyTheCompleteNewFileAppears() throws {
    let answer = try AtomicReplace(at: book).write { staging in
      #expect(staging.deletingLastPathComponent().path == directory.url.path)
      #expect(staging.lastPathComponent == ".book.db.staging")
      #expect(!FileManager.default.fileExists(atPath: book.path))
      try Data("new".utf8).write(to: staging)
      return 42
    }
    #expect(answer == 42)
    #expect(try content() == "new")
    #expect(try directory.names == ["book.db"])
  }

  @Test func readersOfTheOldFileKeepReadingIt() throws {
    try Data("old".utf8).write(to: book)
    let reader = try FileHandle(forReadingFrom: book)
    try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    #expect(try reader.readToEnd() == Data("old".utf8))
    #expect(try content() == "new")
  }

  struct Refused: Error {}

  @Test(arguments: [true, false])
  func anErrorOfTheCallerKeepsTheOldFileAndIsRethrown(_ whileWriting: Bool) throws {
    try Data("old".utf8).write(to: book)
    #expect(throws: Refused.self) {
      try AtomicReplace(at: book).write { staging in
        try Data("half".utf8).write(to: staging)
        try Data("log".utf8).write(to: URL(filePath: staging.path + "-journal"))
        if whileWriting { throw Refused() }
        try FileManager.default.removeItem(atPath: staging.path + "-journal")
      } verify: { staging in
        #expect(try Data(contentsOf: staging) == Data("half".utf8))
        throw Refused()
      }
    }
    #expect(try content() == "old")
    #expect(try directory.names == ["book.db"])
  }

  @Test func leftoversOfAKilledProcessAreRemoved() throws {
    for leftover in ["", "-wal", "-shm", "-journal"] {
      try Data("stray".utf8).write(to: directory.file(".book.db.staging" + leftover))
    }
    try Data().write(to: directory.file(".book.db.lock"))
    try AtomicReplace(at: book).write { staging in
      #expect(try directory.names == [".book.db.lock"])
      try Data("new".utf8).write(to: staging)
    }
    #expect(try directory.names == ["book.db"])
  }

  /// REQUIREMENTS 3.8: SQLite would apply the old log to the new file.
  @Test(arguments: ["-wal", "-journal"], [true, false])
  func aNonemptyLogNextToTheDestinationIsRefused(_ suffix: String, _ exists: Bool) throws {
    if exists { try Data("old".utf8).write(to: book) }
    try Data("log".utf8).write(to: directory.file("book.db" + suffix))
    let before = try directory.names
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).write { _ in Issue.record("nothing may be written") }
    }
    #expect(error?.code == .sidecarPresent)
    #expect(error?.message.contains("'book.db\(suffix)' has content") == true)
    #expect(error?.advice != nil)
    #expect(try directory.names == before)
  }

  @Test func aLogThatAppearsDuringTheReplacementIsRefused() throws {
    try Data("old".utf8).write(to: book)
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).write { staging in
        try Data("new".utf8).write(to: staging)
        try Data("log".utf8).write(to: directory.file("book.db-wal"))
      }
    }
    #expect(error?.code == .sidecarPresent)
    #expect(try content() == "old")
    #expect(try directory.names == ["book.db", "book.db-wal"])
  }

  @Test func anEmptyLogAndAStaleIndexAreAccepted() throws {
    try Data("old".utf8).write(to: book)
    try Data().write(to: directory.file("book.db-wal"))
    try Data("index".utf8).write(to: directory.file("book.db-shm"))
    try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    #expect(try content() == "new")
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func aNewDatabaseThatIsStillOpenIsRefused(_ suffix: String) throws {
    try Data("old".utf8).write(to: book)
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).write { staging in
        try Data("new".utf8).write(to: staging)
        try Data("log".utf8).write(to: URL(filePath: staging.path + suffix))
      }
    }
    #expect(error?.code == .sidecarPresent)
    #expect(try content() == "old")
    #expect(try directory.names == ["book.db"])
  }

  @Test func emptyCompanionsOfTheNewDatabaseAreRemoved() throws {
    try AtomicReplace(at: book).write { staging in
      try Data("new".utf8).write(to: staging)
      for suffix in ["-wal", "-shm", "-journal"] {
        try Data().write(to: URL(filePath: staging.path + suffix))
      }
    }
    #expect(try directory.names == ["book.db"])
  }

  @Test func aClosureThatCreatesNoFileIsRefused() throws {
    try Data("old".utf8).write(to: book)
    let error = #expect(throws: FileError.self) { try AtomicReplace(at: book).write { _ in } }
    #expect(error?.code == .notFound)
    #expect(error?.message.contains("made no file") == true)
    #expect(try content() == "old")
  }

  @Test func onlyPlainFilesAreAccepted() throws {
    try FileManager.default.createDirectory(at: book, withIntermediateDirectories: true)
    let folder = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    }
    #expect(folder?.code == .notRegularFile)
    let link = #expect(throws: FileError.self) {
      try AtomicReplace(at: directory.file("x")).write { staging in
        try FileManager.default.createSymbolicLink(at: staging, withDestinationURL: book)
      }
    }
    #expect(link?.code == .notRegularFile)
    #expect(try directory.names == ["book.db"])
  }

  @Test func aMissingFolderIsReported() throws {
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: directory.file("no/book.db")).write { _ in }
    }
    #expect(error?.code == .notFound)
    #expect(error?.path.hasSuffix("/no/book.db") == true)
    #expect(
      error?.message == "'book.db' cannot be made: its folder does not exist.")
  }

  @Test func anUnwritableFolderIsReported() {
    let fault = SystemFault(atCall: 1, .fail(.accessDenied))
    let error = SystemCalls.$fault.withValue(fault) {
      #expect(throws: FileError.self) { try AtomicReplace(at: book).write { _ in } }
    }
    #expect(error?.code == .accessDenied)
    #expect(error?.path == book.path)
    #expect(
      error?.message == "'book.db' cannot be made: the permission is missing in its folder.")
    #expect(error?.advice == "Check the owner and the permissions of the folder.")
  }

  private func permissions() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: book.path)[.posixPermissions] as? Int
  }

  /// A file that only its owner could read must not become readable by others.
  @Test(arguments: [0o600, 0o640, 0o444, 0o000])
  func thePermissionsOfTheOldFileAreKept(_ mode: Int) throws {
    try Data("old".utf8).write(to: book)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: book.path)
    try Data("copied".utf8).write(to: directory.file("source"))
    try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    #expect(try permissions() == mode)
    try AtomicReplace(at: book).copy(from: directory.file("source"))
    #expect(try permissions() == mode)
  }

  @Test(.enabled(if: getuid() == 0, "giving files away needs root"))
  func theOwnerAndGroupOfTheOldFileAreKept() throws {
    try Data("old".utf8).write(to: book)
    let owner: [FileAttributeKey: Any] = [.ownerAccountID: 12345, .groupOwnerAccountID: 54321]
    try FileManager.default.setAttributes(owner, ofItemAtPath: book.path)
    try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    let found = try FileManager.default.attributesOfItem(atPath: book.path)
    #expect(found[.ownerAccountID] as? Int == 12345)
    #expect(found[.groupOwnerAccountID] as? Int == 54321)
  }

  @Test(.enabled(if: getuid() == 0, "making a file of another group needs root"))
  func aGroupThatCannotBeKeptLosesItsPermissions() throws {
    try Data("old".utf8).write(to: book)
    try FileManager.default.setAttributes(
      [.groupOwnerAccountID: 54321, .posixPermissions: 0o664], ofItemAtPath: book.path)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) {
      try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    }
    let ordinal = try #require(trace.callsSeen.firstIndex(of: .fchown)) + 1
    try FileManager.default.setAttributes(
      [.groupOwnerAccountID: 54321, .posixPermissions: 0o664], ofItemAtPath: book.path)
    try SystemCalls.$fault.withValue(SystemFault(atCall: ordinal, .fail(.notPermitted))) {
      try AtomicReplace(at: book).write { try Data("newer".utf8).write(to: $0) }
    }
    #expect(try content() == "newer")
    #expect(try permissions() == 0o644)
  }

  /// IB-B5: a replaced file lost its exclusion from backups.
  @Test func theExclusionFromBackupsIsKept() throws {
    try AtomicReplace(at: book, attributes: FileAttributes(isExcludedFromBackup: true))
      .write { try Data("1".utf8).write(to: $0) }
    #expect(try FileAttributes(of: book).isExcludedFromBackup)
    try AtomicReplace(at: book).write { try Data("2".utf8).write(to: $0) }
    #expect(try FileAttributes(of: book).isExcludedFromBackup)
    try AtomicReplace(at: book, attributes: FileAttributes())
      .write { try Data("3".utf8).write(to: $0) }
    #expect(try !FileAttributes(of: book).isExcludedFromBackup)
  }

  @Test func theFileIsSyncedBeforeTheRenameAndTheFolderAfterIt() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) {
      try AtomicReplace(at: book).write { try Data("new".utf8).write(to: $0) }
    }
    let steps = trace.callsSeen.filter { [.fsync, .rename].contains($0) }
    #expect(steps == [.fsync, .rename, .fsync])
  }

  @Test func aCopyHasTheContentAndDigestOfTheSource() throws {
    let source = directory.file("source")
    let bytes = Data((0..<700_001).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try bytes.write(to: source)
    let expected = try FileDigest(of: source)
    let copied = try AtomicReplace(at: book).copy(from: source, expecting: expected.sha256)
    #expect(copied == expected)
    #expect(try Data(contentsOf: book) == bytes)
    #expect(try directory.names == ["book.db", "source"])
  }

  @Test func aCopyWithAnotherDigestIsRefused() throws {
    try Data("old".utf8).write(to: book)
    try Data("abc".utf8).write(to: directory.file("source"))
    let expected = try #require(SHA256Digest(bytes: [UInt8](repeating: 1, count: 32)))
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).copy(from: directory.file("source"), expecting: expected)
    }
    #expect(error?.code == .digestMismatch)
    #expect(error?.message.contains("SHA-256 0101") == true)
    #expect(error?.message.contains("ba7816bf") == true)
    #expect(try content() == "old")
    #expect(try directory.names == ["book.db", "source"])
  }

  /// Law 1: the copy would lack the content of the log.
  @Test(arguments: ["-wal", "-journal"])
  func aLiveDatabaseIsNotCopied(_ suffix: String) throws {
    try Data("db".utf8).write(to: directory.file("source"))
    try Data("log".utf8).write(to: directory.file("source" + suffix))
    let error = #expect(throws: FileError.self) {
      try AtomicReplace(at: book).copy(from: directory.file("source"))
    }
    #expect(error?.code == .sidecarPresent)
    #expect(error?.advice?.contains("Back up") == true)
    #expect(try directory.names == ["source", "source" + suffix])
  }
}
