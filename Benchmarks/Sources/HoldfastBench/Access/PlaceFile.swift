import Foundation
import Holdfast

/// A database file with the table of places; it goes when nobody uses it.
final class PlaceFile {
  let pool: DatabasePool

  /// A connection of the C side to the same file.
  let floor: Floor

  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "places.db").path
    // Both sides keep the whole file in memory: not the disk is compared.
    let settings = "PRAGMA synchronous=OFF; PRAGMA cache_size=-131072"
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: settings) }
    pool = try DatabasePool(path: path, configuration: configuration)
    floor = try Floor(path: path)
    try floor.execute(settings + ";" + Place.schema)
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns the digest of all rows and empties the file for the next run.
  func takeAll() throws -> UInt64 {
    let digest = try floor.scan().digest
    // A file without free pages, so that each run finds what the first one found.
    try floor.execute("DELETE FROM place; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    return digest
  }
}
