import Foundation
import Holdfast

/// The rows that all ways read, with columns of more types than those of a place.
final class ReadFile {
  let pool: DatabasePool
  let count: Int
  private let ids: [Int64]
  private let floor: FloorReading
  private let file: PlaceFile

  init(_ places: [Place], isSuspendable: Bool = false) throws {
    file = try PlaceFile(isSuspendable: isSuspendable)
    pool = file.pool
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
    floor = try FloorReading(path: file.path, settings: file.settings)
  }

  func probe(_ way: CursorCases.Way) -> Probe {
    .timed(per: count) { [self] in
      // Itself, because the file is removed with it.
      let sum = try pool.read { db in try way.read(db, ids) }
      return { sum }
    }
  }

  func floorProbe(_ way: CursorCases.Way) -> Probe {
    .timed(per: count) { [self] in
      let sum = try floor.read(way.sql, way.work, ids: way.isLookup ? ids : nil)
      return { sum }
    }
  }
}
