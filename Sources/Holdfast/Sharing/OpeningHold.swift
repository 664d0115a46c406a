package import HoldfastFiles
package import HoldfastSQLite

/// The opening locks of databases, for a process that changes what their openers find.
///
/// While they are held, no process creates, migrates or merges one of the databases. A suspension
/// ends them with ``end()``, and closes the connection of a ``read(_:_:)``.
package final class OpeningHold: SuspendableLock {
  private struct Member {
    let suspension: Suspension
    let lock: OpeningLock
  }

  private let paths: [FilePath]
  private let members: [Member]
  private let configuration: Configuration

  /// Prepares the locks, without taking them.
  ///
  /// - Parameters:
  ///   - paths: The databases, which exist.
  ///   - configuration: The configuration of the connections that read them.
  /// - Throws: `FileError` when a symbolic link cannot be followed.
  package init(of paths: [FilePath], configuration: Configuration) throws {
    var own = configuration
    own.readonly = true
    own.allowsSuspension = true
    own.journalMode = .default
    // Only the holder of the locks suspends them, and learns it from the error.
    own.waitsForResume = false
    own.suspendsOnBackgroundTimeExpiration = false
    own.observesSuspensionNotifications = false
    self.configuration = own
    // In one order, so that two processes do not wait for each other.
    self.paths = paths.sorted { $0.text < $1.text }
    members = try self.paths.map { [own] path in
      guard let suspension = Suspension(path: path.text, configuration: own) else {
        Misuse.trap(Misuse.notSuspendable)
      }
      // One lock for all names of the file.
      let lock = OpeningLock(of: try path.target(), suspension: suspension)
      return Member(suspension: suspension, lock: lock)
    }
  }

  /// Takes the locks, blocking the thread until they are free.
  ///
  /// - Parameter limit: The longest time to wait for each.
  /// - Throws: `SharingError` with `.busy` after the limit; `DatabaseError` when a suspension has
  ///   ended them; `FileError` when a lock cannot be created.
  package func acquire(within limit: Duration) throws {
    for (path, member) in zip(paths, members) {
      guard try member.lock.acquire(within: limit) == .acquired else {
        throw DatabaseError.suspended(path: path.text)
      }
    }
  }

  /// Reads one of the databases on a connection that a suspension closes.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - body: The closure that reads.
  /// - Returns: The return value of the closure.
  /// - Throws: `DatabaseError`; whatever `body` throws.
  package func read<Value>(
    _ path: FilePath, _ body: (Database) throws -> Value
  ) throws -> Value {
    let suspension = paths.firstIndex(of: path).map { members[$0].suspension }
    let queue = try DatabaseQueue(
      at: DatabaseLocation(path: path.text, isReadOnly: true), path: path.text,
      configuration: configuration, suspension: suspension)
    defer { queue.closeIgnoringErrors() }
    return try queue.read(body)
  }

  /// Releases the locks.
  package func release() {
    for member in members { member.lock.end() }
  }

  @discardableResult package func end() -> Bool {
    let isHeld = members.contains { $0.lock.isHeld }
    for member in members { member.suspension.suspend(within: .seconds(1)) }
    return isHeld
  }
}
