import Foundation
import Holdfast

/// Everything that is wrong with a tileset, found by reading all of it.
///
/// ```swift
/// let report = try await tileset.check()
/// for problem in report.problems { print(problem.severity, problem.message) }
/// ```
public struct TilesetReport: Hashable, Sendable {
  /// The number of tiles that were read, those with problems too.
  public private(set) var tileCount = 0

  /// The problems, errors first; each kind at most once.
  public private(set) var problems: [TilesetProblem] = []

  /// Whether a renderer of maps can use the tileset: there is no error.
  public var isUsable: Bool { !problems.contains { $0.severity == .error } }

  /// The formats of the tiles, and how many tiles have each.
  private var formats: [TileFormat: Int] = [:]

  /// Reads the whole database.
  ///
  /// - Throws: `DatabaseError` for what is no damage.
  init(_ db: Database, _ metadata: TilesetMetadata) throws {
    try findingDamage { report in
      let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(10)").filter { $0 != "ok" }
      if let first = findings.first { report.add(.damaged(first, count: findings.count)) }
    }
    try findingDamage { try $0.examineTiles(db) }
    try findingDamage { try $0.examineLookup(db) }
    try findingDamage { try $0.examineTables(db) }
    examine(metadata)
    try findingDamage { try $0.examineZoomLevels(db, metadata) }
    problems.sort { $0.severity == .error && $1.severity == .warning }
  }

  private mutating func add(_ problem: TilesetProblem) {
    if let index = problems.firstIndex(where: { $0.kind == problem.kind }) {
      problems[index].count += problem.count
    } else {
      problems.append(problem)
    }
  }

  /// Turns the damage that stops a part of the examination into a problem.
  private mutating func findingDamage(
    _ examine: (inout TilesetReport) throws -> Void
  ) throws {
    do {
      try examine(&self)
    } catch let error as DatabaseError
      where [
        .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_TOOBIG,
      ].contains(error.resultCode)
    {
      add(.damaged(error.message ?? "\(error.resultCode)", count: 1))
    }
  }

  // MARK: - Tiles

  private mutating func examineTiles(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
    while let row = try rows.next() {
      tileCount += 1
      let place = try (0..<3).map { try row.decode(DatabaseValue.self, atIndex: $0) }
      let coordinate = Self.coordinate(place)
      if coordinate == nil { add(.illegalCoordinate(place)) }
      examine(try row.decode(DatabaseValue.self, atIndex: 3), at: coordinate)
    }
    if tileCount == 0 { add(.noTiles) }
    if formats.count > 1 { add(.mixedFormats(formats)) }
  }

  private static func coordinate(_ place: [DatabaseValue]) -> TileCoordinate? {
    // Not text: a map compares with integers.
    let numbers = place.compactMap { $0.typeName == "text" ? nil : Int.fromDatabaseValue($0) }
    guard numbers.count == 3 else { return nil }
    return TileCoordinate(zoomLevel: numbers[0], tileColumn: numbers[1], tileRow: numbers[2])
  }

  private mutating func examine(_ value: DatabaseValue, at coordinate: TileCoordinate?) {
    guard case .blob(let data) = value.storage else {
      add(value.isNull ? .nullTile(coordinate) : .noBlob(coordinate, type: value.typeName))
      return
    }
    let tile = Tile(data: data)
    guard let format = tile.format else {
      add(.unknownFormat(coordinate))
      return
    }
    formats[format, default: 0] += 1
    // "pbf ... refers to gzip-compressed vector tile data" (MBTiles 1.3).
    if format == .pbf, tile.compression != .gzip {
      add(.otherCompression(coordinate, tile.compression))
    }
  }

  private mutating func examineLookup(_ db: Database) throws {
    let columns = "zoom_level, tile_column, tile_row"
    let duplicates = try Row.fetchAll(
      db, sql: "SELECT \(columns) FROM tiles GROUP BY \(columns) HAVING count(*) > 1 LIMIT 1")
    if let first = duplicates.first {
      add(.duplicateTile(Self.coordinate(first.databaseValues)))
    }
    let plan = try Row.fetchAll(
      db,
      sql: """
        EXPLAIN QUERY PLAN SELECT tile_data FROM tiles
        WHERE zoom_level = 1 AND tile_column = 1 AND tile_row = 1
        """
    ).compactMap { try $0.decode(String?.self, forColumn: "detail") }
    if plan.contains(where: { $0.utf8.starts(with: "SCAN".utf8) }) { add(.slowLookup) }
  }

  /// Looks for what a renderer reads by position.
  private mutating func examineTables(_ db: Database) throws {
    let names = try db.makeStatement(sql: "SELECT * FROM metadata").columnNames.map {
      $0.lowercased()
    }
    // MapLibre reads "SELECT * from metadata" by position.
    if names.prefix(2) != ["name", "value"] { add(.metadataColumns(names)) }
  }

  // MARK: - Metadata

  private mutating func examine(_ metadata: TilesetMetadata) {
    if metadata.name == nil { add(.missingName) }
    examineFormat(metadata)
    if let text = metadata["bounds"] {
      if metadata.bounds == nil { add(.invalidBounds(text)) }
    } else {
      add(.missingBounds)
    }
    if let text = metadata["center"], metadata.center == nil { add(.invalidCenter(text)) }
    for name in ["minzoom", "maxzoom"] {
      let isReadable = name == "minzoom" ? metadata.minimumZoom : metadata.maximumZoom
      if let text = metadata[name], isReadable == nil { add(.invalidZoom(name, text)) }
    }
    if let text = metadata["scale"], Double(text) == nil { add(.invalidScale(text)) }
    let names = Dictionary(grouping: metadata.entries.map { ExactText($0.name) }, by: \.self)
    if let name = names.filter({ $0.value.count > 1 }).keys.min() {
      add(.duplicateName(name.text))
    }
  }

  private mutating func examineFormat(_ metadata: TilesetMetadata) {
    let found = formats.count == 1 ? formats.keys.first : nil
    if let declared = metadata.format {
      // A media type names a format that this module does not know.
      if let known = TileFormat(rawValue: declared), let found, known != found {
        add(.wrongFormat(declared: known, found: found))
      }
    } else {
      add(.missingFormat(found))
    }
    guard found == .pbf else { return }
    let layers = metadata["json"].flatMap { VectorLayer.layers(inJSON: $0) }
    if layers == nil { add(.missingVectorLayers) }
  }

  private mutating func examineZoomLevels(_ db: Database, _ metadata: TilesetMetadata) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT min(zoom_level), max(zoom_level) FROM tiles"),
      let first = Int.fromDatabaseValue(try row.decode(atIndex: 0)),
      let last = Int.fromDatabaseValue(try row.decode(atIndex: 1))
    else { return }
    let declared = (metadata.minimumZoom ?? first, metadata.maximumZoom ?? last)
    if declared != (first, last) {
      add(.wrongZoom(declared: declared, found: (first, last)))
    }
  }
}
