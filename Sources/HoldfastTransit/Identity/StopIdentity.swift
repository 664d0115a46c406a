import Holdfast
import HoldfastFiles

/// The part of a timetable's identity that stops are, in the order of their `stop_id`s.
///
/// A country has half a million stops, so that what many share is looked up here, and not by SQL.
struct StopIdentity {
  /// A row of `packed_stops`.
  private struct PackedStop: FetchableRecord {
    let sid: Int64
    let code, latitude, longitude: DatabaseValue
    let kind: Int64
    let parent: Int64?

    init(row: Row) throws {
      sid = try row.decode(atIndex: 0)
      (code, latitude) = (try row.decode(atIndex: 1), try row.decode(atIndex: 2))
      (longitude, kind) = (try row.decode(atIndex: 3), try row.decode(atIndex: 4))
      parent = try row.decode(atIndex: 5)
    }
  }

  /// The bytes of the values that stops of a kind share: those before the station, and those after it.
  private struct Kind {
    var start: [UInt8] = []
    var end: [UInt8] = []
  }

  private let db: Database
  private let stopIDs: NumberedTexts
  private let names: NumberedTexts
  private var kinds: [Int64: Kind] = [:]

  /// Reads what stops share.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - stopIDs: The identifiers of all stops.
  /// - Throws: `DatabaseError` when the database cannot be read.
  init(_ db: Database, _ stopIDs: NumberedTexts) throws {
    (self.db, self.stopIDs) = (db, stopIDs)
    names = try NumberedTexts(db, "SELECT sid, name FROM stop_names ORDER BY sid")
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT kind, wheelchair_boarding, location_type, platform_code, stop_desc, stop_url, zone_id,
          stop_timezone
        FROM stop_kinds
        """)
    for row in rows {
      var kind = Kind()
      for (index, value) in row.databaseValues.enumerated().dropFirst() {
        if index < 3 {
          TimetableIdentity.append(value, to: &kind.start)
        } else {
          TimetableIdentity.append(value, to: &kind.end)
        }
      }
      kinds[try row.decode(atIndex: 0)] = kind
    }
  }

  /// Adds the stops to a digest.
  func update(_ hasher: inout SHA256) throws {
    let stops = try PackedStop.fetchCursor(
      db,
      sql: """
        SELECT sid, CAST(code AS TEXT), lat, lon, kind, parent_sid
        FROM stop_ids CROSS JOIN packed_stops ON sid BETWEEN first AND last
        WHERE kind IS NOT NULL ORDER BY least_id, sid
        """)
    var bytes: [UInt8] = []
    var nameIndex = 0
    while let stop = try stops.next() {
      guard let kind = kinds[stop.kind] else { continue }
      for value in [
        "stops".databaseValue, text(stopIDs[stop.sid]), stop.code,
        text(names.text(upTo: stop.sid, near: &nameIndex)), stop.latitude, stop.longitude,
      ] { TimetableIdentity.append(value, to: &bytes) }
      bytes += kind.start
      TimetableIdentity.append(text(stop.parent.flatMap { stopIDs[$0] }), to: &bytes)
      bytes += kind.end
      bytes.append(UInt8(ascii: "\n"))
      guard bytes.count > 1 << 16 else { continue }
      hasher.update(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    hasher.update(bytes)
  }

  private func text(_ text: String?) -> DatabaseValue { text?.databaseValue ?? .null }
}
