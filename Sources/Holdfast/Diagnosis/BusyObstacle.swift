import Foundation
import HoldfastFiles
import HoldfastSQLite

extension DatabaseError {
  /// Runs the closure; when another connection is in its way, the error says which process's.
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
      // Where the system does not tell of locks, the error says that much less.
    }
    return error
  }
}

extension LockTable {
  /// Says who is in the way of a statement, as far as the locks of a moment later tell.
  ///
  /// - Parameters:
  ///   - sql: The statement that found the database busy; `nil` for a checkpoint.
  ///   - process: The process that ran it.
  /// - Returns: Who holds which lock, as a part of a sentence; `nil` when nobody is in the way any
  ///   more.
  func obstacle(to sql: String?, in process: Int32) -> String? {
    let held = locks.filter { !$0.isWaiting }
    let others = held.filter { $0.processIdentifier != process }
    // A reader of the log is in nobody's way but a checkpoint's and a pragma's.
    let isWrite = sql.map { SQLTokens($0).verb != "PRAGMA" } ?? false
    let users = Set(others.filter { $0.name == .deadManSwitch }.map(\.processIdentifier))
    let obstacles: [() -> [Lock]] = [
      { held.filter { $0.mode == .write && Self.writing.contains($0.name) } },
      { held.filter { $0.name == .checkpoint } },
      { isWrite ? [] : others.filter { $0.name.isReadMark } },
      // Without a log, who reads keeps a commit waiting; with one it is shared by all its users.
      { others.filter { $0.name == .shared && !users.contains($0.processIdentifier) } },
    ]
    guard let found = obstacles.lazy.map({ $0() }).first(where: { !$0.isEmpty }) else { return nil }
    var holders: [String] = []
    for lock in found {
      let who = lock.processIdentifier == process ? "this process" : lock.holder
      let names = found.filter { $0.processIdentifier == lock.processIdentifier }
        .map(\.name.description).joined(separator: " and ")
      let holder = "\(who) holds \(names)"
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
