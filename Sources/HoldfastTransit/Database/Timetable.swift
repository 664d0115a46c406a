public import Foundation
public import Holdfast
import HoldfastFiles

/// A timetable database, opened for reading.
///
/// ```swift
/// let timetable = try Timetable(at: url)
/// let stops = try await timetable.reader.read { db in
///   try StopSearch("circ").fetchAll(db)
/// }
/// ```
public struct Timetable: Sendable {
  /// The reader of the database; its accesses provide the `Database` for the queries of this
  /// module.
  public let reader: any DatabaseReader

  private enum Content {
    case fixed(TimetableMetadata)
    case followed(FollowedDatabase<TimetableMetadata>)
  }

  private let content: Content

  /// The feed's description of itself.
  ///
  /// For a timetable that follows a source, it comes from the database that was opened last; the source
  /// is not asked.
  public var metadata: TimetableMetadata {
    switch content {
    case .fixed(let metadata): metadata
    case .followed(let database): database.content
    }
  }

  /// Opens a timetable database.
  ///
  /// The file is opened read-only and never created; several threads read at the same time. It is
  /// taken for one that is never modified, as an import leaves it, and is read without locks, unless
  /// there is a log with changes next to it. If another program may write to it meanwhile, use
  /// ``init(_:)`` with a database that takes locks.
  ///
  /// - Parameters:
  ///   - url: The file, as created by `holdfast transit import`.
  ///   - configuration: The configuration of the connections, which are read-only in any case; the key
  ///     of an encrypted file is given in its preparation.
  /// - Throws: ``TransitError`` with `.notFound` when there is no such file, `.notADatabase`,
  ///   `.notATimetable`, `.schemaOlder` or `.schemaNewer`; `SharingError` with `.incomplete` when it
  ///   is cut off, `.needsWriter` when changes next to it must be applied first, `.accessDenied`;
  ///   `DatabaseError` when SQLite refuses the file.
  public init(at url: URL, configuration: Configuration = Configuration()) throws {
    do {
      try self.init(Self.open(url, configuration))
    } catch {
      TransitLog.notOpened(url.path(percentEncoded: false), error)
      throw error
    }
  }

  private static func open(_ url: URL, _ configuration: Configuration) throws -> DatabasePool {
    var configuration = configuration
    prepare(&configuration)
    configuration.hasForeignSchema = true
    let path = url.path(percentEncoded: false)
    do {
      return try DatabasePool(
        readOnlyFileAt: url, isNeverModified: true, configuration: configuration)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN && !FileManager.default.fileExists(atPath: path)
    {
      throw TransitError.notFound(path: path, error)
    } catch let error as SharingError where error.code == .notADatabase {
      // SQLite takes a file of at most one byte for a database without tables.
      if let count = try FilePath(of: url).byteCount(), count <= 1 {
        throw TransitError.notATimetable(path: path, applicationID: 0)
      }
      throw TransitError.notADatabase(path: path, error)
    }
  }

  /// Creates a timetable from a database that is already open.
  ///
  /// - Parameter reader: The database, which must stay open as long as the timetable is used.
  /// - Throws: ``TransitError`` with `.notATimetable`, `.schemaOlder` or `.schemaNewer`;
  ///   `DatabaseError` when the file cannot be read.
  public init(_ reader: any DatabaseReader) throws {
    self.reader = reader
    content = .fixed(try reader.read(Self.metadata))
  }

  private static func metadata(_ db: Database) throws -> TimetableMetadata {
    let metadata = try db.deferringTemporaryObjects {
      try TimetableSchema.check(db)
      return try TimetableMetadata(db)
    }
    TransitLog.opened(db)
    return metadata
  }

  // MARK: - Following a source

  /// Opens the current timetable database of a folder, and each later one, while the task is
  /// suspended.
  ///
  /// `holdfast transit import FEED --into FOLDER` makes such a folder, and adds newer databases to it
  /// while it is read.
  ///
  /// - Parameters:
  ///   - folder: The folder; see ``TimetableFolder``.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  /// - Throws: ``TransitError`` as ``init(at:configuration:)`` and ``TimetableFolder/currentDatabase()``;
  ///   `SharingError` when the current database cannot be opened; `FileError`.
  public init(following folder: URL, configuration: Configuration = Configuration()) async throws {
    try await self.init(following: TimetableFolder(at: folder), configuration: configuration)
  }

  /// Opens the current timetable database of a folder, and each later one, on the caller's thread,
  /// which blocks meanwhile; see the awaited form.
  ///
  /// - Parameters:
  ///   - folder: The folder; see ``TimetableFolder``.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  /// - Throws: The errors of the awaited form.
  @available(
    *, noasync,
    message:
      "Write `try await Timetable(following: …)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public init(following folder: URL, configuration: Configuration = Configuration()) throws {
    try self.init(following: TimetableFolder(at: folder), configuration: configuration)
  }

  /// Opens the current timetable database of a source, and each later one, while the task is
  /// suspended.
  ///
  /// ```swift
  /// let timetable = try await Timetable(following: store.source("harbour.db", of: pack))
  /// ```
  ///
  /// An access of the ``reader`` that is in progress keeps its database, whatever the source
  /// switches to; the next access uses the database that is current when it begins. A database that
  /// is no longer current is closed when the last access to it has ended. Two accesses may see two
  /// databases, so what belongs together is read in one access. An observation of the reader
  /// delivers one value.
  ///
  /// When the source's new database cannot be opened, or is not a timetable, the previous one
  /// remains in use, and ``followingProblem`` says why.
  ///
  /// Opening a database of the app's bundle in place reads the whole file for the first time, which
  /// takes seconds for one of a gigabyte; an installed pack's was verified as it was installed.
  ///
  /// - Parameters:
  ///   - source: The source, such as a pack's file.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  /// - Throws: ``TransitError`` as ``init(at:configuration:)``; `SharingError` when the current
  ///   database cannot be opened; whatever the source throws.
  public init(
    following source: some DatabaseSource, configuration: Configuration = Configuration()
  ) async throws {
    self = try await BlockingWork.userInitiated.run {
      try Timetable(following: source, configuration: configuration)
    }
  }

  /// Opens the current timetable database of a source, and each later one, on the caller's thread,
  /// which blocks meanwhile; see the awaited form.
  ///
  /// - Parameters:
  ///   - source: The source, such as a pack's file.
  ///   - configuration: The configuration of the connections, which are read-only in any case.
  /// - Throws: The errors of the awaited form.
  @available(
    *, noasync,
    message:
      "Write `try await Timetable(following: …)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public init(
    following source: some DatabaseSource, configuration: Configuration = Configuration()
  ) throws {
    var configuration = configuration
    Self.prepare(&configuration)
    configuration.hasForeignSchema = true
    do {
      let database = try FollowedDatabase(
        source, configuration: configuration, content: Self.metadata)
      reader = database
      content = .followed(database)
    } catch let error as SharingError where error.code == .notADatabase {
      throw TransitError.notADatabase(path: error.path, error)
    }
  }

  /// The reason why the source's current database is not in use; `nil` if it is, or if there is no
  /// source.
  ///
  /// It was found at the last access, or at the last switch of the source.
  public var followingProblem: (any Error)? {
    switch content {
    case .fixed: nil
    case .followed(let database): database.problem
    }
  }
}
