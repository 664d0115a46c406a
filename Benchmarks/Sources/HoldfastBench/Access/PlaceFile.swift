import Foundation
import Holdfast

/// A database file with the table of places, removed when it is no longer used.
final class PlaceFile {
  let pool: DatabasePool

  /// A connection of the C side to the same file.
  let floor: Floor

  let path: String

  /// The SQL that each connection to the file runs first.
  let settings: String

  private let folder: URL

  init(synchronous: String = "OFF", isSuspendable: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "places.db").path
    self.path = path
    // Both sides keep the whole file in memory, so that the disk does not matter.
    let settings = "PRAGMA synchronous=\(synchronous); PRAGMA cache_size=-131072"
    self.settings = settings
    var configuration = Configuration()
    configuration.allowsSuspension = isSuspendable
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
    // The file has no free pages, so that each run starts from the same state as the first.
    try floor.execute("DELETE FROM place; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
    return digest
  }
}
