import Holdfast

/// A row of the fixture, decoded by its `Codable` conformance.
struct Place: Codable, FetchableRecord, Hashable, Sendable {
  var id: Int64
  var name: String
  var code: String?
  var lat: Double
  var lon: Double
  var flag: Bool

  init(id: Int64, name: String, code: String?, lat: Double, lon: Double, flag: Bool) {
    self.id = id
    self.name = name
    self.code = code
    self.lat = lat
    self.lon = lon
    self.flag = flag
  }

  /// Creates the row with a key: a name of 20 bytes, a code in every second row.
  init(number: Int) {
    let digits = String(number)
    id = Int64(number)
    name = "Harbour wharf" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    code = number.isMultiple(of: 2) ? "W\(digits)" : nil
    lat = -33.8 + Double(number % 1000) / 4096
    lon = 151.2 + Double(number % 777) / 4096
    flag = number.isMultiple(of: 3)
  }
}

// MARK: - SQL

extension Place {
  static let schema = """
    CREATE TABLE IF NOT EXISTS place (
      id INTEGER PRIMARY KEY, name TEXT, code TEXT NULL, lat REAL, lon REAL, flag INTEGER)
    """
  static let insertion = "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)"
  static let selection = "SELECT id, name, code, lat, lon, flag FROM place"
  static let lookup = "SELECT id, name, code, lat, lon, flag FROM place WHERE id = ?"

  var arguments: StatementArguments { [id, name, code, lat, lon, flag] }
}

// MARK: - Hand-written records

/// A place decoded by position.
struct PlaceByIndex: FetchableRecord, Hashable {
  var id: Int64
  var name: String
  var code: String?
  var lat: Double
  var lon: Double
  var flag: Bool

  init(row: Row) {
    id = row[0]
    name = row[1]
    code = row[2]
    lat = row[3]
    lon = row[4]
    flag = row[5]
  }

  var place: Place {
    Place(id: id, name: name, code: code, lat: lat, lon: lon, flag: flag)
  }
}

/// A place decoded by column name.
struct PlaceByName: FetchableRecord {
  var id: Int64
  var name: String
  var code: String?
  var lat: Double
  var lon: Double
  var flag: Bool

  init(row: Row) {
    id = row["id"]
    name = row["name"]
    code = row["code"]
    lat = row["lat"]
    lon = row["lon"]
    flag = row["flag"]
  }

  var place: Place {
    Place(id: id, name: name, code: code, lat: lat, lon: lon, flag: flag)
  }
}

extension PlaceByIndex {
  /// The sum that C makes of a place.
  var sum: UInt64 { Self.sum(id, name, code, lat + lon, flag) }

  @inline(__always)
  static func sum(_ id: Int64, _ name: String, _ code: String?, _ place: Double, _ flag: Bool)
    -> UInt64
  {
    UInt64(id) &+ UInt64(name.utf8.count) &+ UInt64(code?.utf8.count ?? 0)
      &+ (place > 1000 ? 1 : 0) &+ (flag ? 1 : 0)
  }
}
