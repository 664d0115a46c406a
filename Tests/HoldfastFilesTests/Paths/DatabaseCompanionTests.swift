import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// The files that SQLite keeps next to a database, which are never replaced, created or locked.
@Suite struct DatabaseCompanionTests {
  let directory: TemporaryDirectory
  private static let suffixes = ["-wal", "-shm", "-journal", "-signal", "-mj0A1B2C9D4"]

  init() throws {
    directory = try TemporaryDirectory()
    try Data("database".utf8).write(to: directory.file("x.db"))
  }

  private func isRefused(_ url: URL) throws -> Bool {
    let before = try directory.names
    do {
      try AtomicReplace(at: url).write { try Data("new".utf8).write(to: $0) }
      return false
    } catch let error as FileError {
      #expect(error.code == .companion)
      #expect(error.message.contains("'x.db'"))
      #expect(error.advice != nil)
      #expect(try directory.names == before)
      return true
    }
  }

  @Test(arguments: suffixes, [true, false])
  func aCompanionIsNotReplaced(suffix: String, isThere: Bool) throws {
    let companion = directory.file("x.db" + suffix)
    if isThere { try Data("old".utf8).write(to: companion) }
    #expect(try isRefused(companion))
    #expect(isThere == FileManager.default.fileExists(atPath: companion.path))
    if isThere { #expect(try Data(contentsOf: companion) == Data("old".utf8)) }
  }

  @Test func aCompanionIsNotReplacedThroughAnotherName() throws {
    let files = FileManager.default
    let log = directory.file("x.db-wal")
    try Data("old".utf8).write(to: log)
    try files.createDirectory(
      at: directory.file("folder"), withIntermediateDirectories: true)
    try files.createSymbolicLink(
      at: directory.file("way"), withDestinationURL: directory.file("folder"))
    try files.createSymbolicLink(at: directory.file("link"), withDestinationURL: log)
    try files.createSymbolicLink(
      atPath: directory.file("link2").path, withDestinationPath: "folder/../link")
    try files.createSymbolicLink(
      atPath: directory.file("later").path, withDestinationPath: "x.db-journal")
    try files.linkItem(at: log, to: directory.file("hard"))
    for name in ["link", "link2", "later", "hard", "way/../x.db-wal", "folder/../x.db-shm"] {
      #expect(try isRefused(directory.file(name)), "\(name)")
    }
    #expect(try isRefused(URL(filePath: log.path + "/", directoryHint: .isDirectory)))
    #expect(try isRefused(directory.file("x.db-WAL")))
    #expect(try isRefused(directory.file("x.db-Journal")))
  }

  @Test func otherFilesAreReplaced() throws {
    try FileManager.default.createDirectory(
      at: directory.file("folder"), withIntermediateDirectories: true)
    for name in [
      "y.db-wal", "x.db", "x.db-wal2", "x.db-copy", "-wal", "folder-wal", "x.db-mjX", "x.db-mj1",
      "x.db.wal",
    ] {
      #expect(try !isRefused(directory.file(name)), "\(name)")
    }
  }

  @Test func aPlainFileIsReplacedOnRequest() throws {
    try Data("old".utf8).write(to: directory.file("x.db-journal"))
    var replacement = AtomicReplace(at: directory.file("x.db-journal"))
    replacement.refusesDatabaseCompanions = false
    try replacement.write { try Data("new".utf8).write(to: $0) }
    #expect(try Data(contentsOf: directory.file("x.db-journal")) == Data("new".utf8))
  }

  @Test func aCompanionIsNotUsedAsALock() throws {
    try Data().write(to: directory.file("x.db-wal"))
    #expect(throws: FileError.self) { try FileLock(at: directory.file("x.db-wal")).release() }
    #expect(try directory.names == ["x.db", "x.db-wal"])
  }
}
