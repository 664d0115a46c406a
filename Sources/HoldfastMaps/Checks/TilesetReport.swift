import Foundation
import Holdfast

/// Everything that is wrong with a tileset, found by reading all of it.
///
/// Every tile is decompressed, and every vector tile is read to its last coordinate. An error is
/// what MapLibre Native refuses or shows less of, in a version that apps use.
///
/// ```swift
/// let report = try await tileset.check()
/// for problem in report.problems { print(problem.severity, problem.message) }
/// ```
public struct TilesetReport: Hashable, Sendable {
  /// The number of tiles that were read, those with problems too.
  public private(set) var tileCount = 0

  /// The problems, errors first; each kind at most once of each severity.
  public private(set) var problems: [TilesetProblem] = []

  /// Whether a renderer of maps can use the tileset: there is no error.
  public var isUsable: Bool { !problems.contains { $0.severity == .error } }

  /// The problems of one severity, each with the number of times that it was found, if more than one.
  package func sentences(_ severity: TilesetProblem.Severity) -> [String] {
    problems.filter { $0.severity == severity }.map(\.sentence)
  }

  private var list = ProblemList()

  /// The findings about each style with which the tiles were compared.
  private(set) var styles: [StyleFindings] = []

  /// Creates a report of what was found.
  init(tileCount: Int, _ found: ProblemList, _ styles: [StyleFindings]) {
    self.tileCount = tileCount
    self.styles = styles
    problems = Self.sorted(found)
  }

  /// The report with the problems of the styles.
  var withStyles: TilesetReport {
    var all = ProblemList()
    for problem in problems + styles.flatMap(\.problems) { all.add(problem) }
    return TilesetReport(tileCount: tileCount, all, styles)
  }

  /// Reads the whole database.
  ///
  /// - Parameters:
  ///   - db: The tileset.
  ///   - metadata: What it says of itself.
  ///   - styles: The styles whose layers are compared with those of the tiles.
  /// - Throws: `DatabaseError` for what is no damage.
  init(_ db: Database, _ metadata: TilesetMetadata, for styles: [MapStyle]) throws {
    let renderer = RendererMetadata(metadata)
    var tiles = TileExamination(renderer)
    tiles.findTexts(of: styles, forFileNamed: db.path, deepest: metadata.maximumZoom)
    if let problem = TilesetProblem.wrongName(db.path, .mbtiles) { list.add(problem) }
    try findingDamage { report in
      // A renderer opens the file without creating the log's files, where it must not be written.
      if try db.header().hasWriteAheadLog { report.list.add(.writeAheadLog) }
      try report.examineFile(db)
    }
    try findingDamage { _ in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT zoom_level, tile_column, tile_row, tile_data, \(TilesetSchema.isFoundSQL) FROM tiles
          """)
      try tiles.readAll(hasEqualTiles: true) { add in
        while let row = try rows.next() { try add { batch in try batch.add(row) } }
      }
    }
    tiles.finish()
    tileCount = tiles.tileCount
    list.add(tiles.problems)
    try findingDamage { try $0.examineLookup(db) }
    try findingDamage { report in
      if let lost = try LostContents(db) { report.list.add(lost.problem) }
    }
    try findingDamage { try $0.examineTables(db) }
    list.add(MetadataExamination(renderer, tiles).problems)
    self.styles = tiles.findings(of: styles, forFileNamed: db.path, metadata.vectorLayers)
    problems = Self.sorted(list)
    list = ProblemList()
  }

  private static func sorted(_ list: ProblemList) -> [TilesetProblem] {
    let all = list.problems
    return all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
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
      let message = error.message ?? "\(error.resultCode)"
      let isDamage = error.resultCode != .SQLITE_ERROR
      list.add(isDamage ? .damaged(message, count: 1) : .notEvaluated(message))
    }
  }

  /// Lets SQLite check the file.
  private mutating func examineFile(_ db: Database) throws {
    var broken: [BrokenConstraint] = []
    defer { for constraint in broken { list.add(.brokenConstraint(constraint)) } }
    do {
      try db.forEachLine(ofCheck: "quick_check", most: 10) { line, count in
        if var constraint = BrokenConstraint(line) {
          constraint.count = count
          broken.add(constraint)
        } else {
          list.add(.damaged(line, count: 1))
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A constraint or an index, which nothing evaluates that only reads tiles.
      list.add(.notChecked(error.message ?? "\(error.resultCode)"))
    }
  }

  private mutating func examineLookup(_ db: Database) throws {
    let columns = "zoom_level, tile_column, tile_row"
    let duplicates = try Row.fetchAll(
      db, sql: "SELECT \(columns) FROM tiles GROUP BY \(columns) HAVING count(*) > 1 LIMIT 1")
    if let first = duplicates.first {
      list.add(.duplicateTile(TileExamination.coordinate(first.databaseValues)))
    }
    let plan = try Row.fetchAll(
      db,
      sql: """
        EXPLAIN QUERY PLAN SELECT tile_data FROM tiles
        WHERE zoom_level = 1 AND tile_column = 1 AND tile_row = 1
        """
    ).compactMap { try $0.decode(String?.self, forColumn: "detail") }
    let isSlow = plan.contains { detail in
      // An automatic index is made again for each tile, and most tiles are of one zoom level.
      detail.utf8.starts(with: "SCAN".utf8) || detail.contains(" AUTOMATIC ")
        || detail.hasSuffix("(zoom_level=?)")
    }
    if isSlow { list.add(.slowLookup) }
  }

  /// Looks for what a renderer reads by position.
  private mutating func examineTables(_ db: Database) throws {
    let names = try db.makeStatement(sql: "SELECT * FROM metadata").columnNames.map {
      $0.lowercased()
    }
    // MapLibre Native reads "SELECT * from metadata" by position.
    if names.prefix(2) != ["name", "value"] { list.add(.metadataColumns(names)) }
  }
}
