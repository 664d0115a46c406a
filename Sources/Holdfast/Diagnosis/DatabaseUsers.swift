package import HoldfastFiles

/// The processes that have a database file open through any library, or hold a lock on it.
///
/// On Linux they are found in the kernel's tables of descriptors and of locks, on Apple platforms in
/// the table of locks, and this process in its own descriptors. No file is opened for it.
package struct DatabaseUsers: Sendable {
  /// A process.
  package struct User: Hashable, Sendable, CustomStringConvertible {
    /// The number of the process; `nil` if the system does not report it.
    package let number: Int32?
    /// The name of the process, of which Linux keeps 15 bytes.
    package let name: String?
    /// Whether it holds a lock, and does not only have the file open.
    package let holdsLock: Bool
    /// Whether it uses another engine than SQLite, such as Turso, whose commits and SQLite's overwrite
    /// each other.
    package let usesOtherEngine: Bool

    /// The name and the number, as far as they are known.
    package var description: String {
      switch (name, number) {
      case (let name?, let number?): "\(name) (\(number))"
      case (nil, let number?): "process \(number)"
      default: "an unknown process"
      }
    }
  }

  /// The processes, by number.
  package let users: [User]

  /// Whether none can be missing.
  ///
  /// Processes of other users and of other PID namespaces may be, and on Apple platforms all that
  /// hold no lock at the moment.
  package let isComplete: Bool

  /// Examines an existing file.
  ///
  /// - Parameter path: The file; symbolic links are followed, as SQLite follows them.
  /// - Throws: `FileError` when the file, or those next to it, cannot be examined.
  package init(of path: FilePath) throws {
    do {
      self = try SystemCalls.examiningProcesses { try DatabaseUsers(examining: path) }
    } catch let error as Errno {
      throw FileError.couldNotRead(path, error)
    }
  }

  /// Finds a process that uses an existing database file.
  ///
  /// A child process that was just started has copies of its parent's descriptors until it runs its
  /// own program, on a busy machine for a good part of a second. It inherits no lock. So a lock counts
  /// immediately, as this process does, and an open file of another one only if it is still open after
  /// about 1.3 seconds.
  ///
  /// - Parameter path: The file; symbolic links are followed.
  /// - Returns: The process, one that holds a lock if there is any; `nil` when none uses the file.
  /// - Throws: `FileError`, as ``init(of:)`` does.
  package static func lastingUser(of path: FilePath) throws -> User? {
    var user = try DatabaseUsers(of: path).mainUser
    for pause: UInt32 in [20, 40, 80, 160, 320, 640]
    where user?.holdsLock == false && user?.number != ProcessIdentity.current.number {
      SystemCalls.sleep(milliseconds: pause)
      user = try DatabaseUsers(of: path).mainUser
    }
    return user
  }

  /// Finds a process that uses an existing database file, where many files are asked for.
  ///
  /// - Parameters:
  ///   - path: The file; symbolic links are followed.
  ///   - used: The files that were used a moment ago; `nil` when they are not known.
  /// - Returns: As ``lastingUser(of:)``; `nil` at once when the database is not among the used files.
  /// - Throws: `FileError`, as ``init(of:)`` does.
  package static func lastingUser(of path: FilePath, among used: UsedFiles?) throws -> User? {
    guard let used else { return try lastingUser(of: path) }
    let files = DatabaseFiles(main: try path.resolved())
    let isUsed = try ([files.main] + files.sidecars).contains { file in
      do throws(Errno) {
        return used.mayContain(try SystemCalls.status(of: file.text))
      } catch .notFound {
        return false
      } catch {
        throw FileError.couldNotRead(file, error)
      }
    }
    return isUsed ? try lastingUser(of: path) : nil
  }

  private var mainUser: User? { users.first(where: \.holdsLock) ?? users.first }

  private init(examining path: FilePath) throws(FileError) {
    let files = DatabaseFiles(main: try path.resolved())
    let status: FileStatus
    do throws(Errno) {
      status = try SystemCalls.status(of: files.main.text)
    } catch {
      throw .couldNotRead(path, error)
    }
    var names: [Int32?: String?] = [:]
    let isOpenHere = SystemCalls.isOpenHere(status)
    var isComplete = isOpenHere != nil
    if isOpenHere == true {
      names[ProcessIdentity.current.number] = .some(
        ProcessTable.name(of: ProcessIdentity.current.number))
    }
    #if os(Linux)
      let open = ProcessTable.processes(havingOpen: status)
      for number in open.numbers { names[number] = .some(ProcessTable.name(of: number)) }
      isComplete = isComplete && open.isComplete
    #else
      isComplete = false
    #endif
    var locking: Set<Int32?> = []
    var otherEngines: Set<Int32?> = []
    do throws(FileError) {
      let table = try LockTable(of: files)
      // Not those on lock files of this package, which do not use the database.
      let locked = Set(([files.main] + files.sidecars).map(\.name))
      for lock in table.locks
      where !lock.isWaiting && (locked.contains(lock.file) || lock.name == .log) {
        names[lock.processIdentifier] = .some(lock.processName)
        locking.insert(lock.processIdentifier)
        if lock.name == .log { otherEngines.insert(lock.processIdentifier) }
      }
      isComplete = isComplete && table.isComplete
    } catch {
      guard error.code == .unsupported else { throw error }
      isComplete = false
    }
    users = names.map { number, name in
      User(
        number: number, name: name, holdsLock: locking.contains(number),
        usesOtherEngine: otherEngines.contains(number))
    }
    .sorted { ($0.number ?? .max) < ($1.number ?? .max) }
    self.isComplete = isComplete
  }
}
