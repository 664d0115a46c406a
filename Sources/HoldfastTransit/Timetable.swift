public import Foundation
public import Holdfast

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

  /// The feed's description of itself.
  public let metadata: TimetableMetadata

  /// Opens a timetable database.
  ///
  /// The file is opened read-only and never created.
  ///
  /// - Parameter url: The file, as created by `holdfast transit import`.
  /// - Throws: ``TransitError`` with `.notFound` when there is no such file, `.notATimetable`,
  ///   `.schemaOlder` or `.schemaNewer`; `DatabaseError` when SQLite refuses the file.
  public init(at url: URL) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let path = url.path(percentEncoded: false)
    let reader: DatabaseQueue
    do {
      reader = try DatabaseQueue(path: path, configuration: configuration)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CANTOPEN && !FileManager.default.fileExists(atPath: path)
    {
      throw TransitError.notFound(path: path, error)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw TransitError.notADatabase(path: path, error)
    }
    try self.init(reader)
  }

  /// Creates a timetable from a database that is already open.
  ///
  /// - Parameter reader: The database, which must stay open as long as the timetable is used.
  /// - Throws: ``TransitError`` with `.notATimetable`, `.schemaOlder` or `.schemaNewer`;
  ///   `DatabaseError` when the file cannot be read.
  public init(_ reader: any DatabaseReader) throws {
    self.reader = reader
    metadata = try reader.read { db in
      try TimetableSchema.check(db)
      return try TimetableMetadata(db)
    }
  }
}
