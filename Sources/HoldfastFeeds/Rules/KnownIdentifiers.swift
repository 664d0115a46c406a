import HoldfastTransit

/// The identifiers that rows of other files refer to, by the file that defines them.
struct KnownIdentifiers: Sendable {
  /// The name under which the zones of stops for fares are known.
  static let zones = "zone_id"

  private var tables: [String: InternTable<UInt8>] = [:]
  /// The position of each stop, in the order of the stops' numbers.
  private(set) var positions: [Position?] = []
  /// Whether rows must say to which agency they belong: the feed has several, and all have identifiers.
  private(set) var mustNameAgency = false

  /// The identifiers of a file; `nil` if it is unknown which ones it defines.
  subscript(file: String) -> InternTable<UInt8>? {
    get { tables[file] }
    set { tables[file] = newValue }
  }

  /// Adds the identifiers of a file to those that are known under its name.
  mutating func insert(_ identifiers: some Sequence<String>, of file: String) {
    for identifier in identifiers {
      _ = tables[file, default: InternTable()].insert(identifier.utf8)
    }
  }

  mutating func insert(_ agencies: [FeedAgency]) {
    know([AgencyTable.file])
    insert(agencies.compactMap(\.agencyID), of: AgencyTable.file)
    mustNameAgency = agencies.count > 1 && agencies.allSatisfy { $0.agencyID != nil }
  }

  mutating func insert(_ stops: [FeedStop]) {
    know([StopTable.file, Self.zones])
    insert(stops.map(\.stopID), of: StopTable.file)
    insert(stops.compactMap(\.zoneID), of: Self.zones)
    positions = stops.map(\.position)
  }

  /// Adds the values of a column in the rows of a block.
  mutating func insert(_ rows: CSVRows, column: Int, of file: String) {
    for row in 0..<rows.count where !rows[row].isBlank(column) {
      _ = tables[file, default: InternTable()].insert(rows[row].bytes(column))
    }
  }

  /// Adds the keys of a file.
  mutating func insert(_ keys: InternTable<UInt8>, of file: String) {
    guard var table = tables[file] else {
      tables[file] = keys
      return
    }
    for number in 0..<keys.count { _ = table.insert(keys[number]) }
    tables[file] = table
  }

  /// Notes that it is known which identifiers files define: those that are added, and no others.
  mutating func know(_ files: some Sequence<String>) {
    for file in files where tables[file] == nil { tables[file] = InternTable() }
  }
}
