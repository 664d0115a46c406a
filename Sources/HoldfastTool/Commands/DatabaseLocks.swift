import Foundation
import Holdfast
import HoldfastFiles

/// `holdfast db locks DB`.
struct DatabaseLocks: Verb {
  private let database = Argument("DB", "Any SQLite database; it is not opened.", .path)

  var declaration: Declaration {
    Declaration(
      "locks", "Lists which process holds which lock on a database.", database,
      example: "harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let locks = try locks(at: arguments[database])
    try output.records(of: "locks") { listing in
      for lock in locks { try listing.write(Record(lock: lock)) }
    }
    return .success
  }

  private func locks(at url: URL) throws -> [LockTable.Lock] {
    do throws(FileError) {
      return try LockTable(ofDatabaseAt: url).locks
    } catch {
      guard error.code == .notFound else { throw error }
      throw ToolError.noFile(url.relativePath)
    }
  }
}

extension Record {
  /// A lock in SQLite's words.
  fileprivate init(lock: LockTable.Lock) {
    self = [
      "pid": Cell(lock.processIdentifier.map(Int.init)),
      "process": Cell(lock.processName),
      "file": .text(lock.file),
      "lock": .text(lock.name.description),
      "mode": .text(lock.isWaiting ? "\(lock.mode), waiting" : lock.mode.description),
    ]
  }
}
