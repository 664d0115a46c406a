import HoldfastFiles
import HoldfastSQLite

/// How a database is doing: its files, its log, and who reads from it.
///
/// It is a picture of one moment, taken beside whatever runs.
///
/// ```swift
/// let diagnosis = try await pool.diagnose()
/// diagnosis.warnings.forEach { print($0) }
/// ```
public struct DatabaseDiagnosis: Hashable, Sendable {
  /// A file that SQLite keeps beside the database.
  public struct Sidecar: Hashable, Sendable {
    /// The name of the file, without its folder.
    public var name: String
    /// Its length in bytes.
    public var byteCount: Int64
  }

  /// What the write-ahead log holds.
  public struct Log: Hashable, Sendable {
    /// The length of its file in bytes, which stays when the log begins anew.
    public var byteCount: Int64
    /// The number of committed frames, each a page of the database.
    public var frameCount: Int
    /// How many of them a checkpoint has moved into the database.
    public var checkpointedFrameCount: Int
  }

  /// A process that reads from the log, by one or several connections that share a mark.
  public struct Reader: Hashable, Sendable {
    /// The number of the mark: 0 reads the database alone.
    public var mark: Int
    /// The last frame of the log that it sees, 0 for none; a checkpoint cannot go beyond it.
    public var frame: Int
    /// The process; `nil` when the system does not tell.
    public var processIdentifier: Int32?
    /// What the process is called, as far as the system tells.
    public var processName: String?
  }

  /// The journal mode, in SQLite's word.
  public var journalMode: String

  /// The length of the database file in bytes; 0 in memory.
  public var byteCount: Int64

  /// The files beside the database that exist.
  public var sidecars: [Sidecar]

  /// The log; `nil` when the database has none that it shares.
  public var log: Log?

  /// Who reads a state of the log now, the oldest state first; empty where locks are not told.
  public var readers: [Reader]

  /// Who reads the oldest state; `nil` when nobody reads.
  public var oldestReader: Reader? { readers.first }
}

extension DatabaseReader {
  /// Looks at the database's files, its log, and who reads from it.
  ///
  /// It reads through a connection of its own kind and holds no state meanwhile. It opens no file
  /// that SQLite has open.
  ///
  /// - Returns: What was found.
  /// - Throws: `DatabaseError` when the database cannot be read; ``/HoldfastFiles/FileError`` when
  ///   its files cannot be looked at.
  @available(*, noasync, message: "Write `try await diagnose()`, which blocks no thread.")
  public func diagnose() throws -> DatabaseDiagnosis {
    try unsafeRead { db in try DatabaseDiagnosis(db) }
  }

  /// Looks at the database while the task is suspended: its files, its log, and who reads from it.
  ///
  /// - Returns: What was found.
  /// - Throws: `CancellationError`; what the blocking form throws.
  public func diagnose() async throws -> DatabaseDiagnosis {
    try await unsafeRead { db in try DatabaseDiagnosis(db) }
  }
}

extension DatabaseDiagnosis {
  package init(_ db: Database) throws {
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
    readers = try Self.readers(of: files, marks: state.readMarks)
  }

  private static func readers(
    of files: DatabaseFiles, marks: [Int?]
  ) throws(FileError) -> [Reader] {
    do throws(FileError) {
      return readers(in: try LockTable(of: files), marks: marks)
    } catch {
      // Whoever asks for a diagnosis has the database open; not every system tells locks then.
      guard error.code == .unsupported else { throw error }
      return []
    }
  }

  /// Who holds which mark, the oldest state first.
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
  /// The file of the database with symbolic links resolved, `nil` in memory.
  fileprivate func mainFile() throws -> String? {
    let file = try String.fetchOne(
      self, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'")
    return file.flatMap { $0.isEmpty ? nil : $0 }
  }
}
