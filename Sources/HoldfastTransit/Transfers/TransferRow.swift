import Holdfast

/// A row of `transfers.txt`.
struct TransferRow {
  enum Route {
    case any, unknown
    case number(Int64)
  }

  let fromStop: Int64?
  let toStop: Int64?
  let fromRoute: Route
  let toRoute: Route
  let fromTrip: String?
  let toTrip: String?
  /// The `transfer_type`; `nil` if it is not a number.
  let type: Int?
  let minimum: Int?

  /// How the change is possible; `nil` for a type that this library does not know.
  var way: JourneyTransfers.Way? {
    switch type {
    case 0: .walk
    case 1: .timed
    // "The minimum amount of time", which riders need in any case.
    case 2: minimum.map { JourneyTransfers.Way.seconds($0) } ?? JourneyTransfers.Way.walk
    case 3: .impossible
    default: nil
    }
  }

  static func fetchAll(_ db: Database) throws -> [TransferRow] {
    guard let table = try FileTable("transfers", db) else { return [] }
    let columns = [
      "from_route_id", "to_route_id", "from_trip_id", "to_trip_id", "transfer_type",
      "min_transfer_time",
    ].map(table.column).joined(separator: ", ")
    return try Row.fetchAll(
      db,
      sql: """
        SELECT start.sid, finish.sid, one.rid, other.rid, \(columns)
        FROM main.gtfs_transfers AS file
          LEFT JOIN dict_stop AS start ON start.stop_id = \(table.column("from_stop_id"))
          LEFT JOIN dict_stop AS finish ON finish.stop_id = \(table.column("to_stop_id"))
          LEFT JOIN dict_route AS one ON one.route_id = \(table.column("from_route_id"))
          LEFT JOIN dict_route AS other ON other.route_id = \(table.column("to_route_id"))
        ORDER BY file.rowid
        """
    ).map(TransferRow.init)
  }

  private init(_ row: Row) throws {
    fromStop = try row.decode(atIndex: 0)
    toStop = try row.decode(atIndex: 1)
    fromRoute = Self.route(try row.decode(atIndex: 2), try row.decode(atIndex: 4))
    toRoute = Self.route(try row.decode(atIndex: 3), try row.decode(atIndex: 5))
    fromTrip = try row.decode(atIndex: 6)
    toTrip = try row.decode(atIndex: 7)
    let type = try row.decode(String?.self, atIndex: 8) ?? ""
    self.type = type.isEmpty ? 0 : Int(type)
    // A day at most, so that sums stay small.
    minimum = try row.decode(String?.self, atIndex: 9).flatMap { Int($0) }
      .flatMap { (0...86400).contains($0) ? $0 : nil }
  }

  private static func route(_ rid: Int64?, _ text: String?) -> Route {
    guard let text, !text.isEmpty else { return .any }
    return rid.map { .number($0) } ?? .unknown
  }
}
