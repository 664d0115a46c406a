import Holdfast
import HoldfastFiles

/// The bounds of what is read from a tileset, whose views may have rows without end.
///
/// Each is far above what tilesets need.
struct TilesetLimits {
  /// The length of one value: a tile or a row of the metadata.
  static let valueByteCount = ReadingLimit.tilesetValue.most

  /// The rows of a list that is kept in memory.
  static let rowCount = ReadingLimit.tilesetRows.most

  /// The bytes of a list that is kept in memory.
  static let listByteCount = ReadingLimit.tilesetList.most

  /// The values in the metadata's JSON: its layers, their fields and all else.
  static let jsonValueCount = ReadingLimit.tilesetJSON.most

  /// The entries of one directory of a PMTiles archive.
  static let directoryEntryCount = ReadingLimit.archiveDirectory.most

  /// The bytes of one directory of a PMTiles archive, not compressed: each entry has at most 25.
  static let directoryByteCount = 25 * ReadingLimit.archiveDirectory.most + 10

  /// The steps of SQLite's virtual machine for the description of a file.
  static let openingSteps = ReadingLimit.tilesetOpening.most

  /// The steps for reads of tiles and for a check, which depend on the length of the file.
  ///
  /// A check makes about 100 for each tile, whose entries in the table and in its index have 16
  /// bytes or more.
  let steps: Int

  /// Reads the length of the file.
  init(_ db: Database) throws {
    let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
    let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
    steps = 1_000_000 + 50 * pages * pageSize
  }

  /// Returns the pairs of texts that a query has; a row without the first one is left out.
  ///
  /// - Parameters:
  ///   - item: What is read, for the error.
  ///   - db: The tileset.
  ///   - sql: A query with two columns.
  ///   - arguments: The query's arguments.
  /// - Returns: The pairs in the order of the query.
  /// - Throws: ``MapError`` with `.invalidTileset` when there are more than a list may have.
  static func pairs(
    _ item: String, _ db: Database, sql: String, arguments: StatementArguments = []
  ) throws -> [(String, String?)] {
    let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
    var pairs: [(String, String?)] = []
    var (rowCount, byteCount) = (0, 0)
    while let row = try rows.next() {
      let first: String? = try row.decode(atIndex: 0)
      let second: String? = try row.decode(atIndex: 1)
      rowCount += 1
      byteCount += (first?.utf8.count ?? 0) + (second?.utf8.count ?? 0)
      guard rowCount <= Self.rowCount, byteCount <= listByteCount else {
        throw MapError.tooMuch(item, in: db.path.map { FilePath($0).name } ?? "tileset")
      }
      if let first { pairs.append((first, second)) }
    }
    return pairs
  }

  /// Runs a read within a number of steps.
  ///
  /// - Throws: ``StepsExceeded`` after more of them.
  static func run<Value>(
    _ steps: Int, _ db: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    let limit = db.stepLimit
    limit.begin(steps)
    defer { limit.end() }
    do {
      return try body(db)
    } catch  where limit.isReached {
      throw StepsExceeded(steps: steps)
    }
  }

  /// The end of a read that made more steps than it may.
  struct StepsExceeded: Error {
    var steps: Int
  }
}
