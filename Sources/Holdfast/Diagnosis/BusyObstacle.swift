import Foundation
import HoldfastFiles
import HoldfastSQLite

extension DatabaseError {
  /// Runs the closure, and adds the holder of the obstructing lock to a `SQLITE_BUSY` error.
  static func addingLockHolder<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw error.addingLockHolder()
    }
  }

  private func addingLockHolder() -> DatabaseError {
    guard obstacle == nil, let path else { return self }
    var error = self
    do throws(FileError) {
      let table = try LockTable(of: DatabaseFiles(resolving: FilePath(path)))
      error.obstacle = table.obstacle(
        to: sql, in: ProcessInfo.processInfo.processIdentifier)
    } catch _ {
      // Without a list of locks the error remains as it is.
    }
    return error
  }
}

extension LockTable {
  /// Returns the holders of the locks that obstructed a statement, judging by the locks held now.
  ///
  /// - Parameters:
  ///   - sql: The statement that found the database busy; `nil` for a checkpoint.
  ///   - process: The process that ran it.
  /// - Returns: The holders and their locks, as a part of a sentence; `nil` if there is no obstacle
  ///   any more.
  func obstacle(to sql: String?, in process: Int32) -> String? {
    let held = locks.filter { !$0.isWaiting }
    let others = held.filter { $0.processIdentifier != process }
    // A reader of the log obstructs only checkpoints and pragmas.
    let isWrite = sql.map { SQLTokens($0).verb != "PRAGMA" } ?? false
    let users = Set(others.filter { $0.name == .deadManSwitch }.map(\.processIdentifier))
    let obstacles: [() -> [Lock]] = [
      { held.filter { $0.mode == .write && Self.writing.contains($0.name) } },
      { held.filter { $0.name == .checkpoint } },
      { isWrite ? [] : others.filter { $0.name.isReadMark } },
      // Without a log, a reader delays a commit; with one, all users of the database hold this
      // lock.
      { others.filter { $0.name == .shared && !users.contains($0.processIdentifier) } },
    ]
    guard let found = obstacles.lazy.map({ $0() }).first(where: { !$0.isEmpty }) else { return nil }
    var holders: [String] = []
    for lock in found {
      let name = lock.processIdentifier == process ? "this process" : lock.holder
      let names = found.filter { $0.processIdentifier == lock.processIdentifier }
        .map(\.name.description).joined(separator: " and ")
      let holder = "\(name) holds \(names)"
      if !holders.contains(holder) { holders.append(holder) }
    }
    return holders.joined(separator: ", ")
  }

  private static let writing: Set<Name> = [.exclusive, .pending, .reserved, .walWrite, .recover]
}

extension LockTable.Name {
  fileprivate var isReadMark: Bool {
    if case .readMark = self { true } else { false }
  }
}
