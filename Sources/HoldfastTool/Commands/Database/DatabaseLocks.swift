import Foundation
import Holdfast
import HoldfastFiles

/// `holdfast db locks DB`.
struct DatabaseLocks: Verb {
  private let database = Argument(
    "DB", "Any SQLite database; it is not opened while it is locked.", .path)

  var declaration: Declaration {
    Declaration(
      "locks", "Lists the locks on a database and the processes that hold them.", database,
      example: "harbour.db")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let table = try table(at: arguments[database])
    let locks = table.locks
    if locks.isEmpty {
      try checkIsDatabase(arguments[database])
      // If no lock is visible, there may still be hidden ones.
      guard table.isComplete else { throw ToolError.locksHidden(arguments[database].relativePath) }
    } else if !table.isComplete {
      output.note("Processes outside of this PID namespace are not shown.")
    }
    try output.records(of: "locks") { listing in
      var written: Set<LockTable.Lock> = []
      for var lock in locks {
        // Pieces of one lock that differ in nothing that is printed.
        lock.bytes = 0...0
        if written.insert(lock).inserted { try listing.write(OutputRecord(lock: lock)) }
      }
    }
    for number in table.stoppedProcesses.sorted() {
      let name = locks.first { $0.processIdentifier == number }?.processName ?? "A process"
      output.note("\(name) (\(number)) is stopped, and keeps its locks until it goes on or ends.")
    }
    if table.hasOtherEngine {
      output.note(
        "A process locks a file that SQLite never locks: it uses another engine, such as Turso, and "
          + "its commits and SQLite's overwrite each other. Use one engine at a time.")
    }
    output.note("The tool runs on \(SQLiteLibrary.current).")
    return .success
  }

  private func table(at url: URL) throws -> LockTable {
    do throws(FileError) {
      return try LockTable(ofDatabaseAt: url)
    } catch {
      switch error.code {
      case .notFound: throw ToolError.noFile(url.relativePath)
      case .unsupported: throw ToolError.locksUnavailable(error)
      default: throw error
      }
    }
  }

  /// Refuses a file that is not a database.
  ///
  /// A file that cannot be read is accepted: it is already known not to be locked.
  private func checkIsDatabase(_ url: URL) throws {
    guard !url.isFolder else { throw ToolError.noDatabaseButFolder(url.relativePath) }
    let path = url.path(percentEncoded: false)
    let kind = try FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))[.type]
    guard kind as? FileAttributeType == .typeRegular,
      // Harmless in this process, which holds no lock on the file that closing could release.
      let file = FileHandle(forReadingAtPath: path)
    else { return }
    let start = try file.read(upToCount: 16) ?? Data()
    let byteCount = try file.seekToEnd()
    try file.close()
    // An empty file becomes a database with its first table; an encrypted one has whole pages.
    let mayBeEncrypted = Database.canDecrypt && byteCount.isMultiple(of: 512)
    guard start.isEmpty || start == Data("SQLite format 3\0".utf8) || mayBeEncrypted else {
      throw ToolError.notLockedAndNoDatabase(url.relativePath)
    }
  }
}

extension OutputRecord {
  /// Creates the record of a lock, in SQLite's terms.
  init(lock: LockTable.Lock) {
    self = [
      "pid": Cell(lock.processIdentifier.map(Int.init)),
      "process": Cell(lock.processName),
      "file": .text(lock.file),
      "lock": .text(lock.name.description),
      "mode": .text(lock.isWaiting ? "\(lock.mode), waiting" : lock.mode.description),
    ]
  }
}
