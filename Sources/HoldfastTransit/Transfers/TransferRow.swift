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
  let minimum: Int32?

  /// How the change is possible; `nil` for a type that this library does not know.
  var way: TransferRule.Way? {
    switch type {
    case 0: .walk
    case 1: .timed
    // "The minimum amount of time", which riders need in any case.
    case 2: minimum.map { TransferRule.Way.seconds($0) } ?? TransferRule.Way.walk
    case 3: .impossible
    default: nil
    }
  }

  static func fetchAll(_ db: Database) throws -> [TransferRow] {
    guard let table = try FileTable("transfers", db) else { return [] }
    let columns = [
      "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id",
      "transfer_type", "min_transfer_time",
    ].map(table.column).joined(separator: ", ")
    let rows = try Row.fetchCursor(
      db, sql: "SELECT \(columns) FROM main.gtfs_transfers AS file ORDER BY file.rowid")
    // Many rows name one stop or route, which is looked up once.
    var stops = Numbers(sql: "SELECT sid FROM dict_stop WHERE stop_id = ?")
    var routes = Numbers(sql: "SELECT rid FROM dict_route WHERE route_id = ?")
    var found: [TransferRow] = []
    while let row = try rows.next() { found.append(try TransferRow(row, &stops, &routes, db)) }
    return found
  }

  private init(_ row: Row, _ stops: inout Numbers, _ routes: inout Numbers, _ db: Database) throws {
    fromStop = try stops.number(of: try row.decode(atIndex: 0), db)
    toStop = try stops.number(of: try row.decode(atIndex: 1), db)
    fromRoute = try Self.route(try row.decode(atIndex: 2), &routes, db)
    toRoute = try Self.route(try row.decode(atIndex: 3), &routes, db)
    fromTrip = try row.decode(atIndex: 4)
    toTrip = try row.decode(atIndex: 5)
    let type = try row.decode(String?.self, atIndex: 6) ?? ""
    self.type = type.isEmpty ? 0 : type.wholeNumber
    // A day at most, so that sums stay small.
    minimum = try row.decode(String?.self, atIndex: 7).flatMap(\.wholeNumber)
      .flatMap { (0...86400).contains($0) ? Int32($0) : nil }
  }

  private static func route(
    _ text: String?, _ routes: inout Numbers, _ db: Database
  ) throws -> Route {
    guard let text, !text.isEmpty else { return .any }
    return try routes.number(of: text, db).map { .number($0) } ?? .unknown
  }

  /// The numbers of stops or routes by their identifiers in the feed.
  private struct Numbers {
    let sql: String
    private var known: [ExactText: Int64?] = [:]

    init(sql: String) {
      self.sql = sql
    }

    mutating func number(of identifier: String?, _ db: Database) throws -> Int64? {
      guard let identifier else { return nil }
      if let known = known[ExactText(identifier)] { return known }
      let number = try Int64.fetchOne(
        db.cachedStatement(sql: sql), arguments: [identifier])
      known[ExactText(identifier)] = .some(number)
      return number
    }
  }
}
