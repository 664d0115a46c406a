import Foundation
import Holdfast

/// The patterns of a database, decoded on several threads.
struct ConcurrentPatterns {
  /// A row of the table `patterns` before it is decoded.
  private struct Encoded: Sendable {
    var pid: Int64
    var rid: Int64
    var directionID: Int16?
    var calls, timings, runs: [UInt8]
  }

  /// The number of rows that are decoded at once.
  private static let rowsAtOnce = 512

  let db: Database

  /// Decodes each pattern, and converts it.
  ///
  /// - Parameters:
  ///   - convert: A closure that is called with each pattern, on any thread and in any order.
  ///   - body: A closure that is called on the caller's thread, in the order of the numbers.
  /// - Throws: ``TransitError`` for damage; whatever the closures throw.
  func forEach<Output: Sendable>(
    _ convert: @Sendable (TripTables.Pattern) throws -> Output, _ body: (Output) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT pid, rid, direction_id, calls, timings, runs FROM patterns ORDER BY pid")
    let path = db.path
    var some: [Encoded] = []
    func handOver() throws {
      let found = some
      let converted = concurrentMap(found.count) { number in
        Result { try convert(try Self.decode(found[number], path)) }
      }
      for output in converted { try body(try output.get()) }
      some = []
    }
    while let row = try rows.next() {
      some.append(try read(row))
      if some.count == Self.rowsAtOnce { try handOver() }
    }
    try handOver()
  }

  private func read(_ row: Row) throws -> Encoded {
    let pid: Int64 = try row.decode(atIndex: 0)
    do {
      return Encoded(
        pid: pid, rid: try row.decode(atIndex: 1), directionID: try row.decode(atIndex: 2),
        calls: Array(try row.decode(Data.self, atIndex: 3)),
        timings: Array(try row.decode(Data.self, atIndex: 4)),
        runs: Array(try row.decode(Data.self, atIndex: 5)))
    } catch {
      throw TransitError.damaged(path: db.path, table: "patterns", row: pid)
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
