import Foundation
import Holdfast
import HoldfastTransit

/// The file `locations.geojson` of a feed, or of several feeds.
///
/// SQLite parses the JSON, because it keeps each number as it is written.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#locationsgeojson>, RFC 7946.
struct FeedLocations {
  /// The text of the file: the feed's own, or for several feeds one that has the zones of all.
  let content: String
  /// The number of zones.
  let count: Int
  /// The identifiers of the zones, with the prefixes of their feeds.
  let ids: Set<ExactText>

  /// Creates the file of a feed, or of several; `nil` if none of the texts is JSON.
  ///
  /// - Parameters:
  ///   - parts: The texts of the file in each feed, and the prefix of its identifiers.
  ///   - report: The report on the feed.
  /// - Throws: `DatabaseError` with SQLite's code.
  init?(_ parts: [(text: String, prefix: String)], _ report: ReportBuilder) throws {
    let queue = try DatabaseQueue()
    defer { queue.closeIgnoringErrors() }
    let made: (content: String, count: Int, ids: Set<ExactText>)? = try queue.read { db in
      let sound = try parts.filter { part in
        let isValid = try Bool.fetchOne(db, sql: "SELECT json_valid(?)", arguments: [part.text])
        if isValid != true { report.add(.noJSON().at(LocationsTable.file)) }
        return isValid == true
      }
      guard !sound.isEmpty else { return nil }
      var ids: Set<ExactText> = []
      var count = 0
      for part in sound {
        count += try Self.examine(part.text, part.prefix, &ids, db, report)
      }
      if sound.count == 1, sound[0].prefix.isEmpty { return (sound[0].text, count, ids) }
      let features = try sound.flatMap { try Self.features($0.text, $0.prefix, db) }
      return (
        #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
        features.count, ids
      )
    }
    guard let made else { return nil }
    (content, count, ids) = made
  }

  /// Returns the zones as JSON, with a prefix before their identifiers.
  private static func features(_ text: String, _ prefix: String, _ db: Database) throws -> [String]
  {
    try String.fetchAll(
      db,
      sql: """
        SELECT CASE WHEN ?2 <> '' AND json_type(value, '$.id') IN ('text', 'integer', 'real')
          THEN json_set(value, '$.id', ?2 || json_extract(value, '$.id'))
          ELSE value END
        FROM json_each(?1, '$.features') WHERE type = 'object' ORDER BY key
        """, arguments: [text, prefix])
  }

  /// Reports what riders miss in a file, and returns the number of its zones.
  private static func examine(
    _ text: String, _ prefix: String, _ ids: inout Set<ExactText>, _ db: Database,
    _ report: ReportBuilder
  ) throws -> Int {
    func add(_ problem: FeedProblem) { report.add(problem.at(LocationsTable.file)) }
    let type = try String.fetchOne(
      db, sql: "SELECT CASE json_type(?1) WHEN 'object' THEN json_extract(?1, '$.type') END",
      arguments: [text])
    if type != "FeatureCollection" { add(.noFeatureCollection(type)) }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT key + 1, type,
          CASE type WHEN 'object' THEN json_type(value, '$.id') END,
          CASE type WHEN 'object' THEN CAST(json_extract(value, '$.id') AS TEXT) END,
          CASE type WHEN 'object' THEN CAST(json_extract(value, '$.type') AS TEXT) END,
          CASE type WHEN 'object' THEN CAST(json_extract(value, '$.geometry.type') AS TEXT) END,
          CASE type WHEN 'object' THEN json_type(value, '$.geometry.coordinates') END
        FROM json_each(?, '$.features')
        """, arguments: [text])
    var count = 0
    while let row = try rows.next() {
      count += 1
      let number: Int = try row.decode(atIndex: 0)
      let kind: String? = try row.decode(atIndex: 4)
      guard kind == "Feature" else {
        add(.noFeature(number, kind))
        continue
      }
      let idKind: String? = try row.decode(atIndex: 2)
      let id: String? = try row.decode(atIndex: 3)
      if let id, idKind != "null" {
        if !ids.insert(ExactText(prefix + id)).inserted { add(.duplicateLocation(id)) }
      } else {
        add(.missingElement("id", ofFeature: number))
      }
      let geometry: String? = try row.decode(atIndex: 5)
      let coordinates: String? = try row.decode(atIndex: 6)
      if geometry == nil || coordinates != "array" {
        add(.missingElement("geometry", ofFeature: number))
      } else if let geometry, geometry != "Polygon", geometry != "MultiPolygon" {
        add(.noArea(number, geometry))
      }
    }
    return count
  }
}
