public import Foundation
import Holdfast
import HoldfastFiles
package import HoldfastTransit

/// An exporter that writes the feed in a timetable database as GTFS text again.
///
/// The files have the content of those that were imported: all rows, and all columns that have a
/// value in any row, those that GTFS does not define too. Rows are in the order of the database,
/// columns in GTFS's; times, dates and numbers have one form each, as the article about SQL says.
///
/// The output appears under its name only when it is complete. Equal databases give equal bytes.
///
/// ```swift
/// let made = try FeedExporter(database: databaseURL, output: archiveURL).run()
/// print(made.rows["stop_times.txt"] ?? 0, "stop times")
/// ```
public struct FeedExporter: Sendable {
  /// The timetable database.
  public var database: URL

  /// The archive to create, if its name ends in `.zip`; an SQLite database for other tools, if it ends in
  /// `.sqlite`, `.sqlite3` or `.db`; otherwise a folder.
  ///
  /// Such a database has a plain table for each file, with keys and indexes, and nothing that needs this
  /// library.
  public var output: URL

  /// Whether an output that exists is replaced; false by default.
  ///
  /// Only a feed is, with no other files than those that GTFS defines and those that are exported, or a
  /// database that was exported.
  public var replaces = false

  /// Prepares an export, without reading or writing anything yet.
  ///
  /// - Parameters:
  ///   - database: A timetable database with trips.
  ///   - output: The archive, whose name ends in `.zip`, the database or the folder to create.
  public init(database: URL, output: URL) {
    self.database = database
    self.output = output
  }

  /// Writes the feed; blocking.
  ///
  /// - Parameter progress: Called with the fraction done, from 0 to 1; an error that it throws ends
  ///   the export.
  /// - Returns: The number of rows of each file, and the size of the output.
  /// - Throws: `TransitError` when the database is not a timetable or has no trips; ``FeedError`` with
  ///   `.foreignOutput` when the output exists and may not be replaced, or the folder in which it is
  ///   written, `.NAME.export` next to it, has a file that no export writes, and with `.outputInUse` when
  ///   a process uses the database that would be replaced; `FileError` with `.busy`
  ///   when another export writes the same output, and with the system's reasons when it cannot be
  ///   written, or what it would replace cannot be read;
  ///   `DatabaseError` when the database is damaged or cannot be read. After each of these an existing
  ///   output is as it was, unless the error names `.NAME.export`: a replaced folder is there then, with
  ///   a file that was put into it meanwhile.
  @discardableResult
  public func run(progress: @escaping (Double) throws -> Void = { _ in }) throws -> FeedExport {
    let timetable = try Timetable(at: database)
    defer { timetable.reader.closeIgnoringErrors() }
    return try run(timetable, progress: progress)
  }

  /// Writes the feed in a timetable that is open, in place of the database; blocking.
  ///
  /// - Parameters:
  ///   - timetable: The timetable, which stays open.
  ///   - progress: Called with the fraction done, from 0 to 1; an error that it throws ends the
  ///     export.
  /// - Returns: The number of rows of each file, and the size of the output.
  /// - Throws: The errors of ``run(progress:)``.
  package func run(
    _ timetable: Timetable, progress: @escaping (Double) throws -> Void
  ) throws -> FeedExport {
    if PlainDatabase.isName(output) {
      return try PlainDatabase(output, replaces: replaces).write(timetable, progress: progress)
    }
    let isArchive = output.pathExtension.lowercased() == "zip"
    let place = try ExportPlace(output, isArchive: isArchive, replaces: replaces)
    return try export(
      timetable, to: place, isArchive: isArchive, holding: place.lock(), progress: progress)
  }

  private func export(
    _ timetable: Timetable, to place: ExportPlace, isArchive: Bool,
    holding lock: borrowing FileLock, progress: @escaping (Double) throws -> Void
  ) throws -> FeedExport {
    var made = try timetable.reader.read { db in
      try Self.write(db, to: place, durably: !isArchive) {
        try progress($0 * (isArchive ? 0.7 : 1))
      }
    }
    let names = made.rows.keys.map(ExactText.init).sorted().map(\.text)
    do {
      if isArchive { try place.writeArchive(names) { try progress(0.7 + $0 * 0.3) } }
      let size = try place.publish()
      if isArchive { made.bytes = size }
      try place.removeFolder(writing: names)
      return made
    } catch {
      // The first error is the one to report; the next export removes what is left.
      try? place.removeFolder(writing: names)
      throw error
    }
  }

  private static func write(
    _ db: Database, to place: ExportPlace, durably: Bool,
    progress: (Double) throws -> Void
  ) throws -> FeedExport {
    try TimetableSchema.checkForTrips(db)
    let files = try ExportedFile.files(db)
    let locations = try LocationsTable(db).content()
    let names = files.map(\.table.file) + (locations == nil ? [] : [LocationsTable.file])
    try place.begin(writing: names)
    do {
      var made = try write(files, db, to: place, durably: durably, progress: progress)
      if let locations {
        var writer = try CSVWriter(
          place.folder.appending([LocationsTable.file]), output: place.target)
        try writer.write(whole: locations)
        made.bytes += try writer.finish(durably: durably)
        made.rows[LocationsTable.file] = try LocationsTable(db).count()
      }
      return made
    } catch {
      // As above.
      try? place.removeFolder(writing: names)
      throw error
    }
  }

  private static func write(
    _ files: [ExportedFile], _ db: Database, to place: ExportPlace, durably: Bool,
    progress: (Double) throws -> Void
  ) throws -> FeedExport {
    var made = FeedExport(rows: [:], bytes: 0)
    let total = Double(max(1, files.reduce(0) { $0 + $1.rowCount }))
    var done = 0
    try progress(0.3)
    for file in files {
      var writer = try CSVWriter(
        place.folder.appending([file.table.file]), output: place.target)
      try file.write(db, to: &writer) { try progress(0.3 + 0.7 * Double(done + $0) / total) }
      made.bytes += try writer.finish(durably: durably)
      done += file.rowCount
      made.rows[file.table.file] = file.rowCount
      try progress(0.3 + 0.7 * Double(done) / total)
    }
    return made
  }
}
