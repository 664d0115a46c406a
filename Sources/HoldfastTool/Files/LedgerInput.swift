import Foundation
import Holdfast
import HoldfastFiles
import HoldfastLedger

/// A copied container with an open database and the ledgers of its tables.
final class LedgerInput {
  /// The way in which the database is opened.
  enum Access {
    /// A private copy is opened, so that nothing changes in the container.
    case copy
    /// The database itself is opened and changed.
    case change
  }

  /// The container as it was given.
  let folder: FilePath

  /// The path of the database, as it is printed.
  let databaseName: String

  let queue: DatabaseQueue

  /// The ledgers of the tables to work on; at least one.
  let ledgers: [FileLedger]

  /// The ledgers of the other tables that are recognized.
  let otherLedgers: [FileLedger]

  private let privateFolder: PrivateFolder

  /// Opens a container.
  ///
  /// - Throws: ``ToolError`` when there is no container, no database or no table, or several that
  ///   could be meant; `DatabaseError`.
  init(
    _ arguments: ParsedArguments, _ parameters: LedgerParameters, _ access: Access,
    _ output: Output
  ) throws {
    let choice = try parameters.choice(arguments)
    let given = arguments[parameters.container]
    let copied = try CopiedContainer(at: given)
    guard let data = copied.data else { throw ToolError.noContainerLayout(given.relativePath) }
    let container = Container(at: data.url)
    folder = copied.folder
    let privateFolder = try PrivateFolder(outside: copied.folder)
    self.privateFolder = privateFolder
    output.console.atEnd { [root = privateFolder.root] in PrivateFolder.remove(root) }
    do {
      let finder = DatabaseFinder(
        container: copied, given: given, choice: choice, folder: privateFolder,
        console: output.console)
      let found = try finder.find(arguments[parameters.database])
      databaseName = found.name
      queue = try finder.open(found, access)
      let (tables, others) = try finder.reporting(found.name) { [queue] in
        try queue.read { db in
          let tables = try choice.tables(in: db)
          let others = try TableChoice.recognized(in: db).filter { other in
            !tables.contains { $0.name.isSameIdentifier(as: other.name) }
          }
          return (tables, others)
        }
      }
      guard !tables.isEmpty else {
        queue.closeIgnoringErrors()
        throw ToolError.noKnownTable(found.name)
      }
      ledgers = tables.map { [queue] in FileLedger(queue, container: container, table: $0) }
      otherLedgers = others.map { [queue] in FileLedger(queue, container: container, table: $0) }
    } catch {
      privateFolder.remove()
      throw error
    }
  }

  /// Closes the database, whose log is written into it.
  func close() throws {
    defer { privateFolder.remove() }
    try queue.close()
  }

  /// Closes everything, and returns an error as it is reported.
  func failed(_ error: any Error) -> any Error {
    queue.closeIgnoringErrors()
    privateFolder.remove()
    return Self.reported(error, databaseName)
  }

  /// Returns an error with the path of the database instead of the path of the copy.
  static func reported(_ error: any Error, _ database: String) -> any Error {
    switch error {
    case var error as DatabaseError:
      error.path = database
      return error
    case let error as LedgerError: return ToolError.ledger(error, file: database)
    default: return error
    }
  }

  /// Opens a container, does some work, and closes it.
  static func use<Result>(
    _ arguments: ParsedArguments, _ parameters: LedgerParameters, _ access: Access,
    _ output: Output, _ body: (LedgerInput) throws -> Result
  ) throws -> Result {
    let input = try LedgerInput(arguments, parameters, access, output)
    do {
      let result = try body(input)
      try input.close()
      return result
    } catch {
      throw input.failed(error)
    }
  }

  /// The layout of these columns; where several tables are worked on, each line names its table.
  func layout(_ keys: Set<String>) -> TextTable.Layout {
    TextTable.Layout(
      keys: ledgers.count > 1 ? keys.union(["table"]) : keys,
      styles: ["answer": ["present": .green, "absent": .red, "unknown": .yellow]])
  }
}

/// The choice of a container's database, and its opening.
struct DatabaseFinder {
  let container: CopiedContainer
  /// The container as it was given on the command line.
  let given: URL
  let choice: TableChoice
  let folder: PrivateFolder
  let console: Console

  /// A database: where it is, and how it is called in messages.
  struct Found {
    var path: FilePath
    var name: String
  }

  /// Returns the database that was named, or the only one that has the tables.
  func find(_ named: URL?) throws -> Found {
    if let named { return try locate(named) }
    let search = DatabaseSearch(in: container.folder)
    var found: [Found] = []
    var unreadableCount = search.unreadableCount
    for path in search.databases {
      let candidate = Found(path: path, name: name(of: path))
      do {
        let queue = try open(candidate, .copy)
        defer {
          queue.closeIgnoringErrors()
          folder.empty()
        }
        let isMatch = try queue.read { db in
          try choice.name.map { try db.tableExists($0, in: "main") }
            ?? !TableChoice.recognized(in: db).isEmpty
        }
        if isMatch { found.append(candidate) }
      } catch let error as ToolError where error.exitCode == .cannotCreate {
        throw error
      } catch _ as DatabaseError {
        // Encrypted, damaged or no database at all; the message counts such files.
        unreadableCount += 1
      } catch _ as ToolError {
        // In use, or it cannot be copied.
        unreadableCount += 1
      }
    }
    guard let only = found.first else {
      throw ToolError.noLedgerDatabase(
        given.relativePath, table: choice.name, databases: search.databases.count,
        unreadable: unreadableCount)
    }
    guard found.count == 1 else {
      throw ToolError.severalLedgerDatabases(given.relativePath, found.map { $0.name })
    }
    return only
  }

  /// Returns the path of a file in the container, starting with the container as it was given.
  private func name(of path: FilePath) -> String {
    guard let names = path.names(below: container.folder) else { return path.text }
    let start = given.relativePath
    return ([start.hasSuffix("/") ? String(start.dropLast()) : start] + names)
      .joined(separator: "/")
  }

  private func locate(_ named: URL) throws -> Found {
    let inContainer =
      named.relativePath.hasPrefix("/")
      ? nil
      : container.folder.appending(
        FilePath("/" + named.relativePath).names)
    for path in [try FilePath(of: named), inContainer].compactMap({ $0 }) {
      do throws(Errno) {
        let real = FilePath(try SystemCalls.realPath(path.text))
        if try SystemCalls.status(of: real.text).kind == .directory { continue }
        return Found(
          path: real, name: path == inContainer ? name(of: path) : named.relativePath)
      } catch .notFound, .notDirectory {
        continue
      } catch {
        throw ToolError.containerUnreadable(
          named.relativePath, reason: SystemCalls.description(of: error))
      }
    }
    if named.isFolder { throw ToolError.noDatabaseButFolder(named.relativePath) }
    throw ToolError.noFile(named.relativePath)
  }

  /// Opens a database, or a private copy of it.
  ///
  /// - Throws: ``ToolError`` with `.unavailable` when it is in use; `DatabaseError`.
  func open(_ found: Found, _ access: LedgerInput.Access) throws -> DatabaseQueue {
    let files = DatabaseFiles(main: found.path)
    if let reason = DatabaseCopy.liveness(of: files) {
      throw ToolError.databaseInUse(found.name, reason)
    }
    try files.checkCompanionsAreKept(found.name)
    return try reporting(found.name) {
      switch access {
      case .change: return try opened(found.path, found.name)
      case .copy:
        let copy = try DatabaseCopy.make(
          of: files, named: found.name, in: folder.path, console: console)
        return try opened(copy.files.main, found.name)
      }
    }
  }

  private func opened(_ path: FilePath, _ name: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.hasForeignSchema = true
    try InputKey.apply(to: &configuration, for: header(of: path, name))
    let queue = try DatabaseQueue(path: path.text, configuration: configuration)
    do {
      // SQLite notices only now that a file is none of its databases.
      try queue.read { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
    } catch {
      queue.closeIgnoringErrors()
      throw error
    }
    return queue
  }

  /// Returns the header of a database that nothing has open, so that reading it releases no lock.
  private func header(of path: FilePath, _ name: String) throws -> DatabaseHeader {
    do throws(Errno) {
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      return DatabaseHeader(
        try SystemCalls.readBytes(file, at: 0, count: DatabaseHeader.byteCount),
        fileByteCount: try SystemCalls.status(of: file).byteCount)
    } catch {
      throw ToolError.containerUnreadable(name, reason: SystemCalls.description(of: error))
    }
  }

  /// Runs a closure, whose errors name the database as it was given.
  func reporting<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw LedgerInput.reported(error, name)
    }
  }
}
