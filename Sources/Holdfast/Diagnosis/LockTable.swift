public import Foundation
public import HoldfastFiles

/// The locks that processes hold on a database, in SQLite's terms.
///
/// The table is read from the kernel without opening the database: a process that opens and closes
/// a file loses its locks on that file, SQLite's included. So the table may be read while any
/// library has the database open, in any process. It describes one moment.
///
/// ```swift
/// for lock in try LockTable(ofDatabaseAt: url).locks {
///   print(lock)  // sqlite3 (4711): WAL WRITE, write, on app.sqlite-shm
/// }
/// ```
///
/// On Linux it lists all processes in this process's view of the system, which excludes the ones of
/// other containers: see ``isComplete``. If `/proc` belongs to another PID namespace, so that this
/// process does not find itself in it, reading the table throws. On Apple platforms a process does
/// not see its own locks, and SQLite's can only be queried by opening the files: there, reading the
/// table throws in a process that has the database open.
///
/// - SeeAlso: <https://www.sqlite.org/lockingv3.html>,
///   <https://www.sqlite.org/walformat.html#wal_locks>,
///   <https://man7.org/linux/man-pages/man5/proc_locks.5.html>
public struct LockTable: Sendable {
  /// The locks on the database file, then those on its `-shm`, its log, its journal, Turso's `-tshm` and the
  /// lock files next to it; those on one file in ascending order of their bytes.
  public let locks: [Lock]

  /// Whether the locks of every process of the system are listed.
  ///
  /// `false` in a PID namespace, such as a container's: there the kernel omits the processes
  /// outside, which may share the database through a mounted folder.
  ///
  /// - SeeAlso: <https://man7.org/linux/man-pages/man7/pid_namespaces.7.html>
  public let isComplete: Bool

  /// Reads the current locks.
  ///
  /// - Parameters:
  ///   - url: The database; symbolic links are followed, as SQLite follows them.
  ///   - companions: Further files whose locks are of interest, such as an app's own lock files;
  ///     those that do not exist have none.
  /// - Throws: ``/HoldfastFiles/FileError`` with `.notFound` when there is no database;
  ///   `.accessDenied`; `.unsupported` when the system does not report locks, or reports them with
  ///   the process numbers of another PID namespace.
  public init(ofDatabaseAt url: URL, companions: [URL] = []) throws(FileError) {
    var companionPaths: [FilePath] = []
    for companion in companions { companionPaths.append(try FilePath(of: companion)) }
    try self.init(of: DatabaseFiles(resolving: FilePath(of: url)), companions: companionPaths)
  }

  init(locks: [Lock], isComplete: Bool = true) {
    self.locks = locks
    self.isComplete = isComplete
  }

  /// Whether it is certain that no process holds a lock on any of the files.
  ///
  /// Always `false` if the table is not complete, as in every container with a PID namespace of its
  /// own: there ``locks`` lists only the locks of processes inside.
  public var isFree: Bool { isComplete && locks.allSatisfy(\.isWaiting) }

  /// Whether a process uses the database with another engine than SQLite, such as Turso.
  ///
  /// Such an engine locks the log or a file of its own, and none of the bytes with which SQLite's processes see each other:
  /// each overwrites the commits of the other without an error.
  package var hasOtherEngine: Bool { locks.contains { $0.name == .log && !$0.isWaiting } }

  /// Returns the locks of one process.
  ///
  /// - Parameter processIdentifier: The number of the process.
  /// - Returns: The locks that it holds or waits for, in the order of ``locks``.
  public func locks(heldBy processIdentifier: Int32) -> [Lock] {
    locks.filter { $0.processIdentifier == processIdentifier }
  }

  /// Reads the locks of the current process on the given databases.
  ///
  /// It is meant to be called often: it costs about as much as reading the kernel's table once,
  /// however many databases there are. Databases that do not exist have no locks.
  ///
  /// - Parameter urls: The databases.
  /// - Returns: The locks, database by database.
  /// - Throws: ``/HoldfastFiles/FileError`` as ``init(ofDatabaseAt:companions:)`` does, except
  ///   `.notFound`; `.unsupported` on Apple platforms.
  public static func locksOfThisProcess(
    onDatabasesAt urls: [URL]
  ) throws(FileError) -> [Lock] {
    var databases: [DatabaseFiles] = []
    for url in urls {
      do throws(FileError) {
        databases.append(try DatabaseFiles(resolving: FilePath(of: url)))
      } catch {
        guard error.code == .notFound else { throw error }
      }
    }
    return try locksOfThisProcess(on: databases)
  }

  /// Reads the locks of the current process on databases whose symbolic links are resolved.
  package static func locksOfThisProcess(
    on databases: [DatabaseFiles], companions: [FilePath] = []
  ) throws(FileError) -> [Lock] {
    let process = ProcessInfo.processInfo
    if !KernelLock.listsOwnLocks, let database = databases.first {
      throw .locksUnavailable(database.main)
    }
    return try read(databases, companions: companions, of: process.processIdentifier)
      .map { lock in
        var lock = lock
        lock.processName = process.processName
        return lock
      }
  }

  package init(of database: DatabaseFiles, companions: [FilePath] = []) throws(FileError) {
    var names: [Int32: String?] = [:]
    locks = try Self.read([database], companions: companions, of: nil).map { lock in
      guard let process = lock.processIdentifier else { return lock }
      var lock = lock
      if names[process] == nil { names[process] = .some(ProcessTable.name(of: process)) }
      lock.processName = names[process] ?? nil
      return lock
    }
    isComplete = KernelLock.listsAllLocks
  }

  private static func read(
    _ databases: [DatabaseFiles], companions: [FilePath], of process: Int32?
  ) throws(FileError) -> [Lock] {
    var parts: [Part] = []
    var files: [LockableFile] = []
    func add(_ path: FilePath, _ part: Part) throws(FileError) {
      guard let file = try LockableFile(path, ranges: part.ranges) else { return }
      files.append(file)
      parts.append(part)
    }
    let found = try KernelLock.locks(of: process) { () throws(FileError) in
      for database in databases {
        try add(database.main, .database)
        try add(database.sharedMemory, .sharedMemory)
        for path in database.logs { try add(path, .log) }
        // This process has no such engine, and is asked for at each suspension.
        if process == nil { try add(database.foreignIndex, .log) }
        for path in database.lockFiles { try add(path, .other) }
      }
      for path in companions { try add(path, .other) }
      return files
    }
    return found.indices.flatMap { index in
      found[index].flatMap { Lock.locks($0, on: files[index].path, parts[index]) }
        .sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
    }
  }
}

extension DatabaseFiles {
  /// Creates the files of an existing database, at the path where SQLite looks for them.
  ///
  /// Symbolic links are resolved.
  init(resolving path: FilePath) throws(FileError) {
    self.init(main: try path.resolved())
  }
}
