// The Swift of FastLoops.md, compiled: FastLoopsTests finds each block of it here, and runs every function.

import Holdfast

func namesInCapitals(_ db: Database) throws -> [Row] {
  var kept: [Row] = []
  let rows = try Row.fetchCursor(db, sql: "SELECT name, latitude FROM stop ORDER BY id")
  while let row = try rows.next() {
    let name: String = row[0]
    if name == name.uppercased() { kept.append(row) }
  }
  return kept
}

struct Landing: FetchableRecord {
  var id: Int64
  var name: String
  var code: String?
  var latitude: Double?
  var longitude: Double?
}

extension Landing {
  init(row: Row) {
    self.init(
      id: row["id"], name: row["name"], code: row["code"], latitude: row["latitude"],
      longitude: row["longitude"])
  }
}

func northernmost(_ db: Database) throws -> String? {
  var best: (name: String, latitude: Double)?
  let stops = try Row.fetchCursor(
    db, sql: "SELECT id, name, latitude FROM stop", as: (Int64.self, String.self, Double?.self))
  while let (_, name, latitude) = try stops.next() {
    guard let latitude, latitude > best?.latitude ?? -90 else { continue }
    best = (name, latitude)
  }
  return best?.name
}

func insert(_ stops: [(id: Int64, name: String, latitude: Double?)], _ db: Database) throws {
  let statement = try db.makeStatement(sql: "INSERT INTO stop VALUES (?, ?, ?)")
  for stop in stops {
    try statement.execute(stop.id, stop.name, stop.latitude)
  }
}
