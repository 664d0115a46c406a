public import Foundation
public import HoldfastFiles

/// Which process holds which lock on a database, in SQLite's words.
///
/// It is read from the kernel's table of locks, without opening the database: a process that opens
/// and closes a file loses the locks that it has on it, SQLite's too. So it may be read beside any
/// library that has the database open, in any process. It is a picture of one moment.
///
/// ```swift
/// for lock in try LockTable(ofDatabaseAt: url).locks {
///   print(lock)  // sqlite3 (4711): WAL WRITE, write, on app.sqlite-shm
/// }
/// ```
///
/// On Linux it shows all processes that share this one's view of the system, which those of other
/// containers do not: see ``isComplete``. Where `/proc` is that of another PID namespace, so that this
/// process does not find itself in it, the table is refused. On Apple platforms a process does not see its own locks, and SQLite's can only be
/// asked for by opening the files: there it is refused in a process that has the database open.
///
/// - SeeAlso: <https://www.sqlite.org/lockingv3.html>,
///   <https://www.sqlite.org/walformat.html#wal_locks>,
///   <https://man7.org/linux/man-pages/man5/proc_locks.5.html>
public struct LockTable: Sendable {
  /// The locks on the database file, then those on its `-shm`, its log, its journal and the lock
  /// files beside it; those of one file in the order of their bytes.
  public let locks: [Lock]

  /// Whether the locks of every process of the system are shown.
  ///
  /// False in a PID namespace, such as a container's: there the kernel leaves out the processes
  /// outside, which may share the database through a mounted folder.
  ///
  /// - SeeAlso: <https://man7.org/linux/man-pages/man7/pid_namespaces.7.html>
  public let isComplete: Bool

  /// Reads the locks of one moment.
  ///
  /// - Parameters:
  ///   - url: The database; symbolic links are followed, as SQLite follows them.
  ///   - companions: Further files whose locks are of interest, such as an app's own lock files;
  ///     those that do not exist have none.
  /// - Throws: ``/HoldfastFiles/FileError`` with `.notFound` when there is no database;
  ///   `.accessDenied`; `.unsupported` when the system does not tell of locks, or tells them for the
  ///   process numbers of another PID namespace.
  public init(ofDatabaseAt url: URL, companions: [URL] = []) throws(FileError) {
    var companionPaths: [FilePath] = []
    for companion in companions { companionPaths.append(try FilePath(of: companion)) }
    try self.init(of: DatabaseFiles(resolving: FilePath(of: url)), companions: companionPaths)
  }

  init(locks: [Lock], isComplete: Bool = true) {
    self.locks = locks
    self.isComplete = isComplete
  }

  /// Whether it is known that no process holds a lock on any of the files.
  ///
  /// Always false where the table is not complete, as in every container with a PID namespace of its
  /// own, because that cannot be known: there ``locks`` tells of the processes inside only.
  public var isFree: Bool { isComplete && locks.allSatisfy(\.isWaiting) }

  /// The locks of one process.
  ///
  /// - Parameter processIdentifier: The number of the process.
  /// - Returns: Those it holds and those it waits for, in the order of ``locks``.
  public func locks(heldBy processIdentifier: Int32) -> [Lock] {
    locks.filter { $0.processIdentifier == processIdentifier }
  }

  /// Reads what the present process holds on some databases.
  ///
  /// It is made for asking often: about the cost of reading the kernel's table once, however many
  /// databases there are. Databases that do not exist have no locks.
  ///
  /// - Parameter urls: The databases.
  /// - Returns: The locks, database by database.
  /// - Throws: ``/HoldfastFiles/FileError`` as ``init(ofDatabaseAt:companions:)`` does, but for
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

  /// Reads what the present process holds on databases whose symbolic links are resolved.
  package static func locksOfThisProcess(
    on databases: [DatabaseFiles], companions: [FilePath] = []
  ) throws(FileError) -> [Lock] {
    let process = ProcessInfo.processInfo
    if !KernelLock.tellsOwnLocks, let database = databases.first {
      throw .locksNotTold(database.main)
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
    isComplete = KernelLock.tellsAllLocks
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
        for path in database.logs + database.lockFiles { try add(path, .other) }
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
  /// The files of a database that exists, where SQLite looks for them: beside what a symbolic link
  /// leads to.
  init(resolving path: FilePath) throws(FileError) {
    self.init(main: try path.resolved())
  }
}
