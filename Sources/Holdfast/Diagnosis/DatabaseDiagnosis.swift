import HoldfastFiles
import HoldfastSQLite

/// A diagnosis of a database: its files, its log and its readers.
///
/// It describes one moment, while other accesses continue.
///
/// ```swift
/// let diagnosis = try await pool.diagnose()
/// diagnosis.warnings.forEach { print($0) }
/// ```
public struct DatabaseDiagnosis: Hashable, Sendable {
  /// A file that SQLite keeps next to the database.
  public struct Sidecar: Hashable, Sendable {
    /// The name of the file, without its folder.
    public var name: String
    /// The length of the file in bytes.
    public var byteCount: Int64
  }

  /// The state of the write-ahead log.
  public struct Log: Hashable, Sendable {
    /// The length of the log file in bytes, which does not shrink when the log restarts.
    public var byteCount: Int64
    /// The number of committed frames, each a page of the database.
    public var frameCount: Int
    /// The number of those frames that a checkpoint has copied into the database.
    public var checkpointedFrameCount: Int
  }

  /// A process that reads from the log, through one or several connections that share a read mark.
  public struct Reader: Hashable, Sendable {
    /// The number of the read mark; a reader with mark 0 reads from the database file alone.
    public var mark: Int
    /// The last frame of the log that it sees, 0 for none; a checkpoint cannot go beyond it.
    public var frame: Int
    /// The process; `nil` if the system does not report it.
    public var processIdentifier: Int32?
    /// The name of the process; `nil` if the system does not report it.
    public var processName: String?
  }

  /// The SQLite of this process, and whether it can lose commits in the checkpoints of other libraries' connections.
  public var sqlite = SQLiteLibrary.current

  /// The journal mode, as SQLite names it.
  public var journalMode: String

  /// The length of the database file in bytes; 0 for a database in memory.
  public var byteCount: Int64

  /// The existing files next to the database.
  public var sidecars: [Sidecar]

  /// The log; `nil` if the database has no shared write-ahead log.
  public var log: Log?

  /// The current readers of the log, oldest state first; empty if the system does not list locks.
  public var readers: [Reader]

  /// The reader of the oldest state; `nil` if there is no reader.
  public var oldestReader: Reader? { readers.first }
}

extension DatabaseDiagnosis {
  /// - Parameters:
  ///   - db: A connection.
  ///   - locks: The locks on the database; `nil` to list them.
  /// - Throws: `DatabaseError`; `FileError` when a file or the locks cannot be examined.
  package init(_ db: Database, locks: LockTable? = nil) throws {
    let state = try db.writeAheadLogState()
    journalMode = try db.presentMode("journal_mode")
    byteCount = 0
    sidecars = []
    readers = []
    guard let file = try db.mainFile() else { return }
    let files = DatabaseFiles(main: FilePath(file))
    byteCount = try files.main.byteCount() ?? 0
    for path in files.sidecars {
      guard let byteCount = try path.byteCount() else { continue }
      sidecars.append(Sidecar(name: path.name, byteCount: byteCount))
    }
    guard let state else { return }
    log = Log(
      byteCount: try files.writeAheadLog.byteCount() ?? 0, frameCount: state.frameCount,
      checkpointedFrameCount: state.checkpointedFrameCount)
    readers =
      try locks.map { Self.readers(in: $0, marks: state.readMarks) }
      ?? Self.readers(of: files, marks: state.readMarks)
  }

  private static func readers(
    of files: DatabaseFiles, marks: [Int?]
  ) throws(FileError) -> [Reader] {
    do throws(FileError) {
      return readers(in: try LockTable(of: files), marks: marks)
    } catch {
      // This process has the database open; not every system lists its locks then.
      guard error.code == .unsupported else { throw error }
      return []
    }
  }

  /// Returns the processes that hold read marks, oldest state first.
  static func readers(in table: LockTable, marks: [Int?]) -> [Reader] {
    let readers = table.locks.compactMap { lock -> Reader? in
      guard case .readMark(let mark) = lock.name, lock.mode == .read, !lock.isWaiting else {
        return nil
      }
      return Reader(
        mark: mark, frame: mark == 0 ? 0 : (marks[mark] ?? 0),
        processIdentifier: lock.processIdentifier, processName: lock.processName)
    }
    return readers.sorted { ($0.frame, $0.mark) < ($1.frame, $1.mark) }
  }
}

extension Database {
  /// The file of the database with symbolic links resolved; `nil` in memory.
  fileprivate func mainFile() throws -> String? {
    let file = try String.fetchOne(
      self, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
    return file.flatMap { $0.isEmpty ? nil : $0 }
  }
}
