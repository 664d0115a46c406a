import Foundation
import HoldfastFiles
import HoldfastTestSupport

@testable import Holdfast

/// A database that one pool observes and other processes write.
final class WatchedDatabase: Sendable {
  /// The journal mode of the file.
  enum Mode: String, CaseIterable, Sendable {
    case wal, delete, truncate, persist, memory
  }

  let writer: any DatabaseWriter
  let path: String
  private let folder: TemporaryDirectory

  init(
    _ mode: Mode = .wal, in place: URL? = nil, configuration: Configuration = Configuration()
  ) throws {
    folder = try place.map { try TemporaryDirectory(in: $0) } ?? TemporaryDirectory()
    path = folder.file("a.db").path
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode.rawValue)")
      try db.execute(sql: "CREATE TABLE t (x INTEGER); INSERT INTO t VALUES (0)")
    }
    if mode == .wal {
      try queue.close()
      writer = try DatabasePool(path: path, configuration: configuration)
    } else {
      writer = queue
    }
  }

  var pool: ConnectionPool {
    (writer as? any PooledReader)!.pool
  }

  var names: [String] {
    get throws { try folder.names }
  }

  /// Whether the system tells this process of changes in the file's folder.
  var isFolderWatched: Bool { OpenFiles.isWatched(folder.url) }

  /// What another process runs to commit a number.
  static func update(_ number: Int, _ mode: Mode = .wal) -> [String] {
    // Each connection has its own rollback journal mode.
    (mode == .wal ? [] : ["PRAGMA journal_mode = \(mode.rawValue)"])
      + ["UPDATE t SET x = \(number)"]
  }

  /// Writes through the observing pool.
  func write(_ number: Int) throws {
    try writer.write { db in try db.execute(sql: "UPDATE t SET x = \(number)") }
  }

  /// Returns the numbers that an observation delivers.
  func observe() -> (Journal<Int>, AnyDatabaseCancellable) {
    let journal = Journal<Int>()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT x FROM t") ?? -1
    }
    .start(in: writer, scheduling: .async(onQueue: DispatchQueue(label: "values"))) { error in
      fatalError("\(error)")
    } onChange: {
      journal.append($0)
    }
    return (journal, cancellable)
  }

  /// Collects the reported changes until the task is cancelled.
  static func gather(_ changes: ExternalChanges) -> (Journal<ExternalChange>, Task<Void, Never>) {
    let journal = Journal<ExternalChange>()
    var iterator = changes.makeAsyncIterator()
    let task = Task {
      while let change = await iterator.next() { journal.append(change) }
    }
    return (journal, task)
  }

  /// Suspends the task until the database has been probed again several times.
  func isAskedAgain() async {
    let before = writer.watchHealth?.lookCount ?? 0
    await until { (self.writer.watchHealth?.lookCount ?? 0) >= before + 3 }
  }
}
