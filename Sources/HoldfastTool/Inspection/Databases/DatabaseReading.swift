import Foundation
import Holdfast
import HoldfastFiles

/// How the content of a database is read.
enum DatabaseReading: Sendable, Equatable {
  /// From a private copy, as `doctor` reads it.
  case copied
  /// Where it is, by read-only connections, as `db watch` does; the text says who has it open.
  case live(String)

  /// The name in JSON.
  var name: String {
    switch self {
    case .copied: "copied"
    case .live: "live"
    }
  }

  /// The reason in one sentence.
  var reason: String {
    switch self {
    case .copied:
      "No process has it open. It is read from a private copy, which is made when it is opened here and again "
        + "after it has changed."
    case .live(let user):
      "\(user) It is read where it is, through read-only connections that hold no lock on the content between "
        + "requests."
    }
  }

  /// Decides from who uses a database, its mode and its files.
  ///
  /// - Parameters:
  ///   - user: Who has it open, in a sentence; `nil` when no use is seen.
  ///   - hasSharedMemory: Whether the index of the log is there, without which a reader would create it.
  ///   - hasWriteAheadLog: Returns whether its header says that it has a write-ahead log, which an app may have
  ///     changed since it was found.
  /// - Throws: Whatever `hasWriteAheadLog` throws.
  init(
    user: String?, hasSharedMemory: Bool, hasWriteAheadLog: @autoclosure () throws -> Bool
  ) rethrows {
    guard let user, try hasSharedMemory || !hasWriteAheadLog() else {
      self = .copied
      return
    }
    self = .live(user)
  }
}

/// The source from which connections are opened until the database is read in another way.
struct DatabaseOrigin: Sendable {
  var reading: DatabaseReading
  /// The files that SQLite opens: those of the database, or of its copy.
  var files: DatabaseFiles
  /// Which file is read where it is.
  var identity: FileStatus.Identity?
  /// Whether it is opened with the key of the environment.
  var needsKey: Bool
  /// The files as they were copied.
  var moment: DatabaseMoment?
  /// The folder of the copy.
  var folder: FilePath?
  /// When the copy was complete, and how long it took.
  var copying: (end: ContinuousClock.Instant, time: Duration)?

  /// Opens a connection that only reads.
  ///
  /// - Parameter prepare: Changes the configuration.
  /// - Returns: A queue that waits two seconds for a lock, and whose values are limited in size.
  /// - Throws: `DatabaseError`; ``ToolError`` for an encrypted database without a key.
  func open(_ prepare: (inout Configuration) -> Void = { _ in }) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.hasForeignSchema = true
    configuration.foreignKeysEnabled = false
    // A page is not worth waiting for; the reader asks again.
    configuration.busyMode = .timeout(2)
    // A copy may have a log or a journal, which SQLite replays in it.
    configuration.readonly = reading != .copied
    if reading == .copied {
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA query_only = 1") }
    }
    configuration.prepareDatabase { db in
      db.limitValues(toByteCount: Self.longestValue)
      // The log of an app that writes all the time is not held in memory.
      try db.execute(sql: "PRAGMA cache_size = -4096")
    }
    prepare(&configuration)
    if needsKey { try InputKey()?.apply(to: &configuration) }
    return try DatabaseQueue(path: files.main.text, configuration: configuration)
  }

  /// The longest value that is read, in bytes.
  static let longestValue = 64 << 20
}
