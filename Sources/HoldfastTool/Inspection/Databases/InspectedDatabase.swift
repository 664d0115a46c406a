import Foundation
import Holdfast
import HoldfastFiles
import Synchronization

/// A database that was opened on the page.
///
/// Whether it is read live or from a copy is decided when it is opened, and again when that has changed.
final class InspectedDatabase: Sendable {
  /// The identifier of its item.
  let id: String
  let path: FilePath
  /// Its path relative to what is inspected.
  let name: String

  /// The counts of rows that are under way, which are one after the other and must not take all connections of the
  /// server.
  let counts = SharedWork<[String], OutputRecord>(atMost: 8)

  private let needsKey: Bool
  private let copies: CopyShelf
  private let verbs: VerbProcess
  private let state = Mutex(State())

  private struct State {
    var origin: DatabaseOrigin?
    /// The number of origins so far, which names the folder of a copy.
    var number = 0
    /// Connections by what they are used for.
    var queues: [Use: DatabaseQueue] = [:]
    /// Connections that are used once, and what ends their work.
    var passing: [(queue: DatabaseQueue, end: @Sendable () -> Void)] = []
    /// Values that belong to the origin, such as an opened timetable.
    var values: [ObjectIdentifier: any Sendable] = [:]
    var whenChecked = ContinuousClock.now
    var isClosed = false
  }

  /// The use of a connection, so that a long statement keeps nobody waiting.
  enum Use: Hashable, Sendable {
    /// Pages of rows and the schema.
    case pages
    /// Statements that were typed.
    case statements
    /// Counts of rows.
    case counts
    /// Watching commits, locks and the log.
    case watch
  }

  /// How long users of a live database are believed to be the same.
  private static let usersLast = Duration.seconds(2)

  init(_ item: InspectedItem, in copies: CopyShelf, _ verbs: VerbProcess) {
    (id, path, name, needsKey) = (item.id, item.path, item.name, item.needsKey)
    (self.copies, self.verbs) = (copies, verbs)
  }

  /// Returns how it is read now, after a look at whether that has changed.
  ///
  /// - Throws: ``ToolError`` when it cannot be copied; `FileError`.
  func origin() throws -> DatabaseOrigin {
    try state.withLock { state in try current(&state) }
  }

  /// Returns the connection for a use.
  ///
  /// - Throws: As ``origin()`` does; `DatabaseError`.
  func queue(for use: Use) throws -> DatabaseQueue {
    try state.withLock { state in
      let origin = try current(&state)
      if let queue = state.queues[use] { return queue }
      let queue = try reporting {
        // What is watched is looked at again soon.
        try origin.open { if use == .watch { $0.busyMode = .immediateError } }
      }
      state.queues[use] = queue
      return queue
    }
  }

  /// Opens a connection for something that takes long, and closes it afterwards.
  ///
  /// - Parameters:
  ///   - end: Ends the work when the database is closed, also where it waits for something else than SQLite.
  ///   - body: The work.
  /// - Returns: What it returns.
  /// - Throws: As ``queue(for:)`` does, and the errors of the work.
  func withOwnConnection<Value>(
    endedBy end: @escaping @Sendable () -> Void, _ body: (DatabaseQueue) throws -> Value
  ) throws -> Value {
    let queue = try state.withLock { state in
      let origin = try current(&state)
      let queue = try reporting { try origin.open() }
      state.passing.append((queue, end))
      return queue
    }
    defer {
      state.withLock { state in state.passing.removeAll { $0.queue === queue } }
      queue.closeIgnoringErrors()
    }
    return try reporting { try body(queue) }
  }

  /// Reads with the connection for a use.
  func read<Value>(for use: Use, _ body: (Database) throws -> Value) throws -> Value {
    let queue = try queue(for: use)
    return try reporting {
      try queue.read { db in
        // Views may have texts in double quotes. Only in a typed statement may a name be mistyped.
        guard use != .statements else { return try body(db) }
        return try db.acceptingDoubleQuotedTexts(besides: "") { try body(db) }
      }
    }
  }

  /// Returns a value that is made once for each origin.
  func value<Value: Sendable>(_ make: (DatabaseOrigin) throws -> Value) throws -> Value {
    try state.withLock { state in
      let origin = try current(&state)
      let key = ObjectIdentifier(Value.self)
      if let value = state.values[key] as? Value { return value }
      let value = try reporting { try make(origin) }
      state.values[key] = value
      return value
    }
  }

  /// The files that SQLite has open in place.
  var filesOpenHere: [FilePath] {
    state.withLock { state in
      guard let origin = state.origin, origin.reading != .copied else { return [] }
      return [origin.files.main] + origin.files.sidecars
    }
  }

  /// Closes all connections; later requests fail.
  func close() {
    state.withLock { state in
      state.isClosed = true
      Self.release(&state)
    }
  }

  // MARK: - The origin

  private func current(_ state: inout State) throws -> DatabaseOrigin {
    if state.isClosed { throw ToolError.inspectionEnded }
    if let origin = state.origin {
      if try isCurrent(origin, &state) { return origin }
      Self.release(&state)
    }
    let origin = try reporting { try makeOrigin(&state) }
    state.origin = origin
    state.whenChecked = .now
    return origin
  }

  private func isCurrent(_ origin: DatabaseOrigin, _ state: inout State) throws -> Bool {
    let files = DatabaseFiles(main: path)
    // A file that cannot be examined is reported when it is copied.
    if let moment = origin.moment, (try? DatabaseMoment(files)) != moment,
      !CopyShelf.isKept(origin, at: .now)
    {
      return false
    }
    // An app that makes its database anew has another file open.
    if let identity = origin.identity, (try? path.resolved()).flatMap(Self.identity) != identity {
      return false
    }
    guard state.whenChecked.duration(to: .now) > Self.usersLast else { return true }
    state.whenChecked = .now
    // One that is gone is reported when it is opened.
    guard Self.identity(of: path) != nil else { return false }
    guard origin.moment != nil else { return user(of: files) != nil }
    // A process may have opened it that only reads.
    return try reading(of: DatabaseFiles(main: path.resolved())) == .copied
  }

  /// Returns which file is at a path; `nil` where none is.
  private static func identity(of path: FilePath) -> FileStatus.Identity? {
    (try? SystemCalls.linkStatus(of: path.text))?.identity
  }

  /// Decides how the files are read now.
  private func reading(of files: DatabaseFiles) throws -> DatabaseReading {
    try DatabaseReading(
      user: user(of: files), hasSharedMemory: files.sharedMemory.exists(),
      hasWriteAheadLog: DatabaseHeader(
        LockSafeFile.firstBytes(DatabaseHeader.byteCount, of: files.main),
        fileByteCount: files.main.byteCount() ?? 0
      ).hasWriteAheadLog)
  }

  private func makeOrigin(_ state: inout State) throws -> DatabaseOrigin {
    let files = DatabaseFiles(main: try path.resolved())
    let reading = try reading(of: files)
    guard reading == .copied else {
      return DatabaseOrigin(
        reading: reading, files: files, identity: Self.identity(of: files.main),
        needsKey: needsKey)
    }
    state.number += 1
    let copy = try copies.copy(files, of: self, as: "\(id)-\(state.number)")
    return DatabaseOrigin(
      reading: .copied, files: copy.files, needsKey: needsKey, moment: copy.moment,
      folder: copy.folder, copying: (.now, copy.time))
  }

  /// Removes the copy that it is read from, and closes its connections; the next request makes another one.
  ///
  /// - Returns: Whether it had a copy, and nothing was done with it at the moment.
  func giveUpCopy() -> Bool {
    state.withLockIfAvailable { state in
      guard state.origin?.reading == .copied, state.passing.isEmpty else { return false }
      Self.release(&state)
      return true
    } ?? false
  }

  /// Returns which other process uses a database, in a sentence; `nil` when none is seen.
  ///
  /// One that only has it open may be a child that was just started, and is gone at the next look.
  private func user(of files: DatabaseFiles) -> String? {
    let own = verbs.processNumbers
    let isOther = { (number: Int32?) in number.map { !own.contains($0) } ?? true }
    // Not those on lock files of this package, which do not use the database.
    let names = Set(([files.main] + files.sidecars).map(\.name))
    // Most users hold a lock, and to list the open files of all processes takes much longer than to list locks.
    if let lock = (try? LockTable(of: files))?.locks.first(where: {
      names.contains($0.file) && isOther($0.processIdentifier) && !$0.isWaiting
    }) {
      let number = lock.processIdentifier.map { " (\($0))" } ?? ""
      return "It is locked by \(lock.processName ?? "a process")\(number)."
    }
    // Where the system lists no uses, a change during the copy still shows.
    let users = (try? DatabaseUsers(of: files.main).users) ?? []
    return users.first { isOther($0.number) }.map { "It is open in \($0)." }
  }

  private static func release(_ state: inout State) {
    // All of them: to copy the file is to open it and to close it, which would release their locks.
    for work in state.passing { work.end() }
    let queues = Array(state.queues.values) + state.passing.map(\.queue)
    for queue in queues { queue.interrupt() }
    for queue in queues { queue.closeSoon() }
    for value in state.values.values { (value as? any ClosableValue)?.close() }
    if let folder = state.origin?.folder { PrivateFolder.remove(folder) }
    (state.queues, state.values, state.origin) = ([:], [:], nil)
    state.passing = []
  }

  /// Runs a closure, whose errors name the database as the page does.
  func reporting<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw LedgerInput.reported(error, name)
    }
  }
}

/// A value of a database that has files open.
protocol ClosableValue: Sendable {
  /// Closes them.
  func close()
}
