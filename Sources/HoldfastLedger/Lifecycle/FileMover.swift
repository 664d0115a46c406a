import Foundation
import Holdfast
import HoldfastFiles

/// The moves of a ledger's files between roots, on the caller's thread.
///
/// 1. The intent is committed. 2. The file is moved. 3. The new path is written and the intent is
/// removed, in one transaction. A lock file keeps other processes from taking a move that is under
/// way for an interrupted one.
struct FileMover {
  let ledger: FileLedger
  let policy: LifecyclePolicy

  private var writer: any DatabaseWriter { ledger.writer }

  /// The time to wait for another move, which may copy a large file.
  private static let waitLimit: Duration = .seconds(60)

  // MARK: - Moving

  /// Moves a record's file to the same path in another root.
  ///
  /// - Returns: The move; `nil` when the file is in that root already.
  func move(_ id: RecordID, to root: StorageRoot) throws -> MovedFile? {
    var begun: MoveIntent?
    while true {
      let lock = try takeLock()
      let result = Result { try moveLocked(id, to: root, lock, &begun) }
      let wasHeld = lock.end()
      switch result {
      case .success(let moved): return moved
      case .failure(let error) where wasHeld: throw error
      // A suspension has released the lock: the next round waits for the resume, or fails, and ends
      // the stored move.
      case .failure: continue
      }
    }
  }

  private func moveLocked(
    _ id: RecordID, to root: StorageRoot, _ lock: MovesLock, _ begun: inout MoveIntent?
  ) throws -> MovedFile? {
    // The lock is ours, so every intent is one that was interrupted.
    if let pending = try recoverLocked(lock, { $0.id == id }).first,
      pending.outcome == .postponed, lock.isHeld
    {
      // An earlier move cannot be ended yet.
      throw LedgerError.occupied(pending.to)
    }
    guard let intent = try prepare(id, root) else {
      return begun.map { intent in
        MovedFile(
          id: id, from: intent.origin, to: intent.destination,
          exclusion: exclude(intent, at: intent.destination))
      }
    }
    guard lock.isHeld else { throw LedgerError.changedMeanwhile(id, in: ledger.table.name) }
    begun = intent
    try writeDurably { db in
      let (_, source) = try ledger.adopted(db)
      try LifecycleTables.create(db)
      try intent.insert(source, db)
    }
    do {
      var moved = MovedFile(id: id, from: intent.origin, to: intent.destination)
      // Before the move too, so that no crash leaves a file in the documents without it.
      exclude(intent, at: intent.origin)
      // A suspended app touches no file that another process may be moving now.
      guard lock.isHeld else {
        throw LedgerError.changedMeanwhile(id, in: ledger.table.name)
      }
      try transfer(intent).move()
      guard lock.isHeld, try complete(intent) else {
        throw LedgerError.changedMeanwhile(id, in: ledger.table.name)
      }
      moved.exclusion = exclude(intent, at: intent.destination)
      return moved
    } catch {
      // Without the lock, another process may be ending the move.
      guard lock.isHeld else { throw error }
      // The first error is the one to report; what cannot be put right now is at the next launch.
      _ = try? settle(intent, goesBack: true)
      throw error
    }
  }

  /// Examines whether a record's file can move; `nil` when it is in the root already.
  private func prepare(_ id: RecordID, _ root: StorageRoot) throws -> MoveIntent? {
    var found: LedgerRows.Found?
    var hasLocation = false
    try writer.read { db in
      let (layout, _) = try ledger.adopted(db)
      hasLocation = layout.location != nil
      found = try LedgerRows(ledger, db).found(id, db)
    }
    guard let found else { throw LedgerError.noRecord(id, in: ledger.table.name) }
    guard let origin = found.record.path, found.record.state == .recorded else {
      throw LedgerError.noFile(id, in: ledger.table.name)
    }
    if origin.root == root { return nil }
    let destination = try RelocatablePath(root, components: origin.components)
    let form = ledger.dialect.form(of: found.record.storedText)
    guard ledger.dialect.write(destination, as: form, hasLocation: hasLocation) != nil else {
      throw LedgerError.unwritable(destination, in: ledger.table.name)
    }
    let survey = FolderSurvey(ledger.container)
    guard case .present(let status?) = survey.answer(origin) else {
      throw LedgerError.noFile(id, in: ledger.table.name)
    }
    try refuseRecorded(destination, of: found, status)
    if let parent = destination.parent { try ledger.container.createDirectory(at: parent) }
    switch survey.answer(destination) {
    case .absent: break
    case .present, .unknown: throw LedgerError.occupied(destination)
    }
    let intent = MoveIntent(
      key: found.key, origin: origin, destination: destination, byteCount: status.byteCount)
    try refuseFullVolume(intent)
    return intent
  }

  /// Refuses a path that another record has, whose file may come back.
  private func refuseRecorded(
    _ destination: RelocatablePath, of found: LedgerRows.Found, _ status: FileStatus
  ) throws {
    let candidate = FileFinder.Candidate(
      found: RepairDecision.Found(path: destination, step: .otherRoot), status: status)
    var isRecorded = false
    try writer.read { db in
      var owners = FileOwners(try LedgerRows(ledger, db), isIndexed: false)
      isRecorded = try owners.owns(candidate, except: found.target.locator, db)
    }
    if isRecorded { throw LedgerError.recorded(destination, in: ledger.table.name) }
  }

  /// Refuses a copy for which the other volume has no space.
  private func refuseFullVolume(_ intent: MoveIntent) throws {
    let transfer = try transfer(intent)
    guard try transfer.method() == .copy else { return }
    let free: Int64
    do {
      free = try SystemCalls.freeSpace(at: transfer.destination.directory.text)
    } catch _ {
      // A volume that does not say is not full.
      return
    }
    // Compared without a sum, which could overflow.
    if free - policy.freeSpaceReserve < intent.byteCount {
      throw LedgerError.noSpace(intent.destination, needed: intent.byteCount, free: free)
    }
  }

  private func transfer(_ intent: MoveIntent) throws -> FileTransfer {
    try FileTransfer(
      from: ledger.container.url(for: intent.origin),
      to: ledger.container.url(for: intent.destination))
  }

  /// Excludes a file that moves to the documents from backups.
  @discardableResult
  private func exclude(_ intent: MoveIntent, at path: RelocatablePath) -> BackupExclusion? {
    guard intent.destination.root == .documents else { return nil }
    let target = BackupExclusion.target(for: intent.destination, in: policy.excludedFolders)
    return BackupExclusion(target == intent.destination ? path : target, in: ledger.container)
  }

  /// Writes the new path and removes the intent; returns false when the record is gone or has
  /// another path by now.
  private func complete(_ intent: MoveIntent) throws -> Bool {
    var isWritten = false
    try writer.write { db in
      let uses = try FileUses(ledger, db)
      let (rows, layout) = (uses.rows, uses.rows.layout)
      try MoveIntent.remove(intent.key, uses.source, db)
      let id = try rows.id(intent.key, db)
      guard let found = try rows.found(id, db) else { return }
      isWritten = found.record.path == intent.destination
      guard found.record.path == intent.origin,
        ledger.dialect.write(
          intent.destination, as: ledger.dialect.form(of: found.record.storedText),
          hasLocation: layout.location != nil) != nil
      else { return }
      isWritten = true
      if let column = layout.movedToCache {
        let time = intent.destination.root == .caches ? Date() : nil
        try uses.set(column, to: time, at: found.target.locator, db)
      }
      // Every record of the file, so that none loses it.
      for row in try namesakes(intent.origin, rows, db) {
        guard
          let written = ledger.dialect.write(
            intent.destination, as: ledger.dialect.form(of: row.record.storedText),
            hasLocation: layout.location != nil)
        else { continue }
        var assignments = ["\(layout.path) = ?"]
        var values = [written.value(like: row.target.text)]
        if let column = layout.location, let location = written.location {
          assignments.append("\(column) = ?")
          values.append(location.databaseValue)
        }
        try db.execute(
          sql: "UPDATE \(layout.table) SET \(assignments.joined(separator: ", ")) "
            + "WHERE \(layout.isAtLocator)",
          arguments: StatementArguments(
            values + (try layout.locatorValues(row.target.locator, db))))
      }
    }
    return isWritten
  }

  /// The rows whose texts stand for a path, in whatever form.
  private func namesakes(
    _ path: RelocatablePath, _ rows: LedgerRows, _ db: Database
  ) throws -> [LedgerRows.Found] {
    let column = rows.layout.column(rows.layout.path)
    let name = path.lastComponent ?? ""
    // Every form but a URL ends with the bytes of the name.
    return try Row.fetchAll(
      db,
      sql: rows.foundSelection + """
         WHERE substr(\(column), \(-name.unicodeScalars.count)) COLLATE BINARY = ?
        OR lower(substr(\(column), 1, 5)) = 'file:' OR typeof(\(column)) = 'blob'
        """, arguments: [name]
    ).map(rows.found).filter { $0.record.path == path }
  }

  // MARK: - Recovery

  /// Completes or undoes the moves that were interrupted.
  func recover() throws -> [RecoveredMove] {
    let lock = try takeLock()
    defer { lock.end() }
    return try recoverLocked(lock) { _ in true }
  }

  private func recoverLocked(
    _ lock: MovesLock, _ isIncluded: (RecoveredMove) -> Bool
  ) throws -> [RecoveredMove] {
    var moves: [(intent: MoveIntent, move: RecoveredMove)] = []
    try writer.read { db in
      let source = try ledger.adopted(db).source
      let rows = try LedgerRows(ledger, db)
      moves = try MoveIntent.fetchAll(source, db).map { intent in
        let id = try rows.id(intent.key, db)
        return (
          intent,
          RecoveredMove(
            id: id, from: intent.origin, to: intent.destination, outcome: .postponed)
        )
      }
    }
    return moves.filter { isIncluded($0.move) }.map { intent, move in
      var move = move
      guard lock.isHeld else {
        move.problem = "The database was suspended."
        return move
      }
      do {
        move.outcome = try settle(intent, goesBack: false)
        if move.outcome == .completed { exclude(intent, at: intent.destination) }
      } catch {
        move.problem = "\(error)"
      }
      return move
    }
  }

  /// Ends a move from any state of its files.
  ///
  /// If it goes back, a file that has moved returns, because its record refused the new path.
  private func settle(_ intent: MoveIntent, goesBack: Bool) throws -> RecoveredMove.Outcome {
    let survey = FolderSurvey(ledger.container)
    let origin = survey.answer(intent.origin)
    let destination = survey.answer(intent.destination)
    var hasLength = false
    if case .present(let status?) = destination { hasLength = status.byteCount == intent.byteCount }
    let recovery = MoveRecovery(
      origin: origin.presence, destination: destination.presence, hasLength: hasLength)
    switch recovery {
    case .postpone: return .postponed
    case .forget:
      try forget(intent)
      return .forgotten
    case .undo:
      try transfer(intent).discard()
      try forget(intent)
      return .undone
    case .complete where goesBack:
      try transfer(intent.reversed).move()
      try forget(intent)
      return .undone
    case .complete:
      do {
        try transfer(intent).move()
      } catch let error as FileError
        where origin.presence == .present && error.errno == Errno.alreadyExists.rawValue
      {
        // Two files of one length: the record keeps its own.
        try forget(intent)
        return .undone
      }
      return try completeOrReturn(intent)
    }
  }

  private func completeOrReturn(_ intent: MoveIntent) throws -> RecoveredMove.Outcome {
    do {
      return try complete(intent) ? .completed : .forgotten
    } catch let error as DatabaseError
      where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT
    {
      // The table refuses the new path, now and at each later launch.
      try transfer(intent.reversed).move()
      try forget(intent)
      return .undone
    }
  }

  private func forget(_ intent: MoveIntent) throws {
    try writer.write { db in
      try MoveIntent.remove(intent.key, ledger.adopted(db).source, db)
    }
  }

  // MARK: - Order

  /// Writes in a transaction that survives a power loss when it has returned.
  private func writeDurably(_ body: (Database) throws -> Void) throws {
    try writer.writeWithoutTransaction { db in
      // "WAL mode does not sync at each commit" below FULL: https://sqlite.org/pragma.html#pragma_synchronous
      let level = try Int.fetchOne(db, sql: "PRAGMA main.synchronous") ?? 2
      if level < 2 { try db.execute(sql: "PRAGMA main.synchronous = 2") }
      defer {
        if level < 2 {
          // Left higher, later commits are only slower.
          try? db.execute(sql: "PRAGMA main.synchronous = \(level)")
        }
      }
      try db.inTransaction(.immediate) {
        try body(db)
        return .commit
      }
    }
  }

  /// Takes the lock of all moves of this database's files.
  private func takeLock() throws -> MovesLock {
    let path: FilePath
    if let database = writer.path {
      let file = FilePath(try FilePath.absolute(database))
      path = file.sibling(".\(file.name).moves.lock")
    } else {
      let folder = try ledger.container.createDirectory(at: RelocatablePath(.caches))
      path = try FilePath(of: folder).appending([".holdfast.moves.lock"])
    }
    return try MovesLock(path, of: writer, waitingUpTo: Self.waitLimit)
  }
}

extension MoveIntent {
  /// The move back.
  var reversed: MoveIntent {
    MoveIntent(key: key, origin: destination, destination: origin, byteCount: byteCount)
  }
}
