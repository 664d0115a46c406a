import CFloor
import Foundation
import Holdfast

/// The rows that all ways read, with columns of more types than those of a place.
final class ReadFile {
  let pool: DatabasePool
  let count: Int
  private let ids: [Int64]
  private let floor: FloorReading

  /// The file itself, of which the plain columns are a table of places.
  let places: PlaceFile

  init(_ places: [Place], isSuspendable: Bool = false) throws {
    self.places = try PlaceFile(isSuspendable: isSuspendable)
    pool = self.places.pool
    count = places.count
    ids = places.indices.map { Int64($0 * 2_654_435_761 % places.count) + 1 }
    try pool.write { db in
      try db.execute(
        sql: """
          ALTER TABLE place ADD COLUMN date; ALTER TABLE place ADD COLUMN token;
          ALTER TABLE place ADD COLUMN picture
          """)
      let statement = try db.makeStatement(
        sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      for place in places {
        try statement.execute(
          place.id, place.name, place.code, place.lat, place.lon, place.flag,
          Date(timeIntervalSince1970: Double(place.id) * 1000), UUID(),
          Data(repeating: 7, count: 40))
      }
    }
    floor = try FloorReading(path: self.places.path, settings: self.places.settings)
  }

  var path: String { places.path }
  var settings: String { places.settings }

  func probe(_ way: CursorCases.Way) -> Probe {
    .timed(per: count) { [self] in
      // Itself, because the file is removed with it.
      let sum = try pool.read { db in try way.read(db, ids) }
      return { sum }
    }
  }

  func floorProbe(_ way: CursorCases.Way) -> Probe {
    floorProbe(way.sql, way.work, ids: way.isLookup ? ids : nil)
  }

  func floorProbe(_ sql: String, _ work: floor_work, ids: [Int64]? = nil) -> Probe {
    .timed(per: count) { [self] in
      let sum = try floor.read(sql, work, ids: ids)
      return { sum }
    }
  }
}
