import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastTransit

// How verbs open databases that they only read: the file stays unchanged, byte for byte, and no
// file is left next to it.

extension DatabaseQueue {
  /// Opens an existing database for reading.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - withTimetableTables: Whether all files of the feed are tables, if it is a timetable.
  ///   - hidesStoredTables: Whether these include views with the names of stored tables.
  ///   - isExamined: Whether it is opened even if SQLite cannot read a part of its schema.
  ///   - isShared: Whether other processes can open it meanwhile, for which SQLite leaves a `-shm` file
  ///     next to a log that had none.
  /// - Throws: ``ToolError`` when there is no such file, or SQLite could not leave it as it is;
  ///   `DatabaseError` when SQLite cannot open it.
  convenience init(
    readingFileAt url: URL, withTimetableTables: Bool = false, hidesStoredTables: Bool = true,
    isExamined: Bool = false, isShared: Bool = false
  ) throws {
    let path = url.path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else {
      throw ToolError.noFile(url.relativePath)
    }
    guard !url.isFolder else { throw ToolError.noDatabaseButFolder(url.relativePath) }

    let files = try DatabaseFiles(main: FilePath(of: url).resolved())
    if let reason = files.unreadableCompanion {
      throw ToolError.notOpened(url.relativePath, because: reason)
    }
    try files.checkCompanionsAreKept(url.relativePath)
    try Self.checkIsReadable(url, files)
    var configuration = Configuration()
    configuration.hasForeignSchema = true
    var location: DatabaseLocation?
    let isLogAlone = try Self.isLogAlone(files)
    configuration.readonly = try !isLogAlone && !Self.isLogAtRest(files)
    if isLogAlone {
      configuration.prepareDatabase { db in
        if isShared { try db.readKeepingLog() } else { try db.readLogAlone() }
      }
    } else if !configuration.readonly {
      // SQLite would read it nevertheless, and leave the log's two files next to a protected file.
      guard Self.isWritable(files.main), Self.isWritable(files.main.directory) else {
        throw ToolError.logWriteProtected(url.relativePath)
      }
      // Without its log it is an old one, which SQLite would remove with the log that it makes.
      let keepsIndex = try !isShared && files.sharedMemory.exists()
      if keepsIndex, let lock = try LoglessReadLock(on: files) {
        location = .immutableFile(files.main.text)
        configuration.readonly = true
        // As long as the connection has its configuration.
        configuration.prepareDatabase { _ in withExtendedLifetime(lock) {} }
      } else {
        configuration.prepareDatabase { db in
          // In this mode the index of the log is in the memory of the connection.
          if keepsIndex { try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
          try db.execute(sql: "PRAGMA query_only = 1")
        }
      }
    }
    if withTimetableTables {
      Timetable.prepare(&configuration, hidesStoredTables: hidesStoredTables)
    }
    if isExamined {
      IntegrityExamination.prepare(&configuration)
    } else {
      // Common table expressions of one view are put in place even where views are forbidden.
      configuration.prepareDatabase { db in
        guard db.hasEndlessViews else { return }
        try db.execute(sql: "PRAGMA hard_heap_limit = \(ReadingLimit.examinedMemory.most)")
      }
    }
    try InputKey()?.apply(to: &configuration)
    if withTimetableTables { Timetable.limitSteps(&configuration) }
    if let location {
      try self.init(at: location, configuration: configuration)
    } else {
      try self.init(path: path, configuration: configuration)
    }
  }

  /// Refuses an archive, such as a feed, and what SQLite takes for damage: a database that is encrypted behind a
  /// readable header, or that another engine wrote in a form of its own.
  ///
  /// A database whose beginning is lost is damaged, whatever SQLite calls it.
  private static func checkIsReadable(_ url: URL, _ files: DatabaseFiles) throws {
    // Closed before SQLite opens the file: closing it later would release SQLite's locks.
    guard let file = FileHandle(forReadingAtPath: url.path(percentEncoded: false)) else { return }
    let start = Array(try file.read(upToCount: FileStart.byteCount) ?? Data())
    try file.close()
    guard !FileStart(start).isArchive else {
      throw ToolError.feedAsDatabase(url.relativePath, isFolder: false)
    }
    if let log = FileStart(start).log { throw ToolError.logAsDatabase(url.relativePath, log) }
    if let format = FileStart(start).otherFormat {
      throw ToolError.otherFormat(url.relativePath, format)
    }
    if let content = SubstituteContent(start) {
      throw ToolError.substitute(url.relativePath, content)
    }
    // SQLite would take it for an empty database.
    if start.count == 1, !FileStart(start).isNewDatabase {
      throw DatabaseError(resultCode: .SQLITE_NOTADB, path: url.relativePath)
    }
    guard !InputKey.isUsable else { return }
    if let beginning = FileStart(start).lostBeginning, !files.mayHaveFirstPage {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: beginning, path: url.relativePath)
    }
    let header = DatabaseHeader(start, fileByteCount: Int64(start.count))
    guard header.isOfKnownVersion else {
      throw ToolError.laterFormat(url.relativePath, version: header.readVersion)
    }
    if header.encryption == .afterPlaintextHeader, FileStart(start).looksEncrypted {
      throw ToolError.encryptedAfterHeader(url.relativePath)
    }
  }

  /// Returns whether the database has a log that no process has open, and may be written.
  ///
  /// Each process that has the log open has the `-shm` file too, which a read-only connection creates
  /// and cannot remove. The log may be empty, as Turso leaves it.
  private static func isLogAlone(_ files: DatabaseFiles) throws -> Bool {
    try files.writeAheadLog.exists() && !files.sharedMemory.exists() && isWritable(files.main)
  }

  private static func isWritable(_ path: FilePath) -> Bool {
    FileManager.default.isWritableFile(atPath: path.text)
  }

  /// Returns whether the file is a database in WAL mode that is not open, judging by its files.
  ///
  /// A read-only connection creates the log's two files and cannot remove them when it closes; one
  /// that may write removes them. If they exist already, nothing must be removed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/wal.html#read_only_databases>,
  ///   <https://www.sqlite.org/fileformat2.html#file_format_version_numbers>
  private static func isLogAtRest(_ files: DatabaseFiles) throws -> Bool {
    guard try !files.logs.contains(where: { try $0.exists() }) else { return false }
    // Closed before SQLite opens the file: closing it later would release SQLite's locks.
    guard let file = FileHandle(forReadingAtPath: files.main.text) else { return false }
    let header = try file.read(upToCount: 20) ?? Data()
    try file.close()
    guard header.count == 20 else { return false }
    // The journal mode of a file that is encrypted from its first byte is not known.
    let isReadable = header.starts(with: Data("SQLite format 3".utf8))
    return header[19] == 2 || Database.canDecrypt && !isReadable
  }
}

extension DatabaseFiles {
  /// Refuses a database that is empty for SQLite and has a log, or a journal that would bring pages back: SQLite
  /// deletes them when it opens the database.
  ///
  /// - Parameter name: How the database is called in messages.
  /// - Throws: ``ToolError`` with `.badData`; `Errno` when the files cannot be examined.
  func checkCompanionsAreKept(_ name: String) throws {
    guard try isMainEmpty() else { return }
    let hasByte = try main.byteCount() == 1
    if try writeAheadLog.byteCount() ?? 0 > 0 {
      throw ToolError.emptyDatabase(name, hasByte: hasByte, "log", named: writeAheadLog.name)
    }
    if try journal.byteCount() ?? 0 > 0,
      try RollbackJournal(at: journal, for: .read).pageCount ?? 0 > 0
    {
      throw ToolError.emptyDatabase(name, hasByte: hasByte, "journal", named: journal.name)
    }
  }
}

extension Argument<URL> {
  /// The timetable that a verb reads, by ``Timetable/init(readingFileAt:)``.
  static let timetable = Argument("DB", "A timetable database, or a folder of them.", .path)
}

extension Timetable {
  /// Opens an existing timetable database for reading, or the current one of a folder of them.
  init(readingFileAt url: URL) throws {
    guard url.isFolder else {
      try self.init(DatabaseQueue(readingFileAt: url, withTimetableTables: true))
      return
    }
    do {
      var configuration = Configuration()
      Timetable.prepare(&configuration)
      try InputKey()?.apply(to: &configuration)
      Timetable.limitSteps(&configuration)
      try self.init(
        TimetableFolder(at: url).currentDatabase().open(configuration: configuration))
    } catch let error as TransitError where error.code == .notFound {
      guard !url.containsFeed else {
        throw ToolError.feedAsDatabase(url.relativePath, isFolder: true)
      }
      throw ToolError.noDatabaseButFolder(url.relativePath)
    }
  }
}

extension Timetable {
  /// Limits the steps of SQLite of a whole verb: a view of the file may have rows without end.
  ///
  /// To read all rows takes about ten for each byte of the file.
  fileprivate static func limitSteps(_ configuration: inout Configuration) {
    configuration.prepareDatabase { db in
      func number(_ pragma: String) -> Int {
        // A file that is no database is found to be none when it is read.
        (try? Int.fetchOne(db, sql: "PRAGMA \(pragma)")) ?? 0
      }
      let byteCount = number("page_count") * number("page_size")
      // It fits: a file has fewer than 2^32 pages of at most 2^16 bytes.
      db.stepLimit.begin(ReadingLimit.timetable.most + 500 * byteCount)
    }
  }
}

extension URL {
  /// Whether this is a folder with the files that each feed has.
  fileprivate var containsFeed: Bool {
    ["routes.txt", "trips.txt"].allSatisfy {
      FileManager.default.fileExists(atPath: appending(path: $0).path(percentEncoded: false))
    }
  }
}

extension Tileset {
  /// Opens an existing tileset for reading.
  convenience init(readingFileAt url: URL) throws {
    guard !url.isFolder else { throw ToolError.noDatabaseButFolder(url.relativePath) }
    try self.init(at: url)
  }
}

extension TileSources {
  /// Opens an existing tileset of either format for reading.
  static func open(readingFileAt url: URL) throws -> any TileSource {
    // Opening a tileset says what is wrong with a file that cannot be read.
    if (try? PMTilesArchive.isArchive(at: url)) == true { return try PMTilesArchive(at: url) }
    return try Tileset(readingFileAt: url)
  }
}

extension TileSource {
  /// Ends the use of a file that was only read.
  func closeIgnoringErrors() { (self as? Tileset)?.reader.closeIgnoringErrors() }
}
