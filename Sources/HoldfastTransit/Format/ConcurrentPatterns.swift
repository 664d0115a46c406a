import Foundation
import Holdfast

/// The patterns of a database, read at once and decoded on several threads.
struct ConcurrentPatterns<Output: Sendable> {
  /// A row of the table `patterns` before it is decoded.
  private struct Encoded: Sendable {
    var pid: Int64
    var rid: Int64
    var directionID: Int16?
    var calls, timings, runs: [UInt8]
  }

  private let outputs: ConcurrentMap<Result<Output, any Error>>

  /// Reads the rows, which are decoded from then on.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - convert: A closure that is called with each pattern, on any thread and in any order.
  /// - Throws: ``TransitError`` for damage; `DatabaseError` when the database cannot be read.
  init(
    _ db: Database, _ convert: @escaping @Sendable (TripTables.Pattern) throws -> Output
  ) throws {
    let path = db.path
    let cursor = try Row.fetchCursor(
      db, sql: "SELECT pid, rid, direction_id, calls, timings, runs FROM patterns ORDER BY pid")
    var rows: [Encoded] = []
    while let row = try cursor.next() { rows.append(try Self.read(row, path)) }
    outputs = ConcurrentMap(rows.count) { [rows] number in
      Result { try convert(try Self.decode(rows[number], path)) }
    }
  }

  /// Takes what was made of each pattern, once, in the order of the numbers.
  ///
  /// - Throws: ``TransitError`` for damage; whatever the closures throw.
  func forEach(_ body: (Output) throws -> Void) throws {
    try outputs.forEach { try body(try $0.get()) }
  }

  private static func read(_ row: Row, _ path: String?) throws -> Encoded {
    let pid: Int64 = try row.decode(atIndex: 0)
    do {
      return Encoded(
        pid: pid, rid: try row.decode(atIndex: 1), directionID: try row.decode(atIndex: 2),
        calls: Array(try row.decode(Data.self, atIndex: 3)),
        timings: Array(try row.decode(Data.self, atIndex: 4)),
        runs: Array(try row.decode(Data.self, atIndex: 5)))
    } catch {
      throw TransitError.damaged(path: path, table: "patterns", row: pid)
    }
  }

  private static func decode(_ row: Encoded, _ path: String?) throws -> TripTables.Pattern {
    do {
      return TripTables.Pattern(
        pid: row.pid, rid: row.rid, directionID: row.directionID,
        stored: try StoredPattern(calls: row.calls, timings: row.timings, runs: row.runs))
    } catch {
      throw TransitError.damaged(path: path, table: "patterns", row: row.pid)
    }
  }
}
