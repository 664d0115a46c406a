package import Holdfast

/// A writer that fills the tables of stops.
///
/// The names are counted first, so that parts that several names share are stored once; then the
/// stops are inserted in the order of their numbers.
package struct StopWriter {
  /// A stop as the feed describes it.
  package struct Place: Sendable {
    /// The stop's number.
    package var sid: Int64
    /// `stop_id`.
    package var stopID: String
    /// `stop_name`.
    package var stopName: String
    /// `stop_code`.
    package var stopCode: String?
    /// `stop_lat`.
    package var stopLat: Double?
    /// `stop_lon`.
    package var stopLon: Double?
    /// `location_type`.
    package var locationType = 0
    /// `wheelchair_boarding`.
    package var wheelchairBoarding: Int?
    /// The number of the stop it belongs to.
    package var parent: Int64?
    /// `platform_code`.
    package var platformCode: String?
    /// `stop_desc`.
    package var stopDesc: String?
    /// `stop_url`.
    package var stopURL: String?
    /// `zone_id`.
    package var zoneID: String?
    /// `stop_timezone`.
    package var stopTimezone: String?

    /// Creates a place; everything else is blank.
    package init(sid: Int64, stopID: String, stopName: String) {
      (self.sid, self.stopID, self.stopName) = (sid, stopID, stopName)
    }
  }

  /// The properties that many stops share.
  private struct Kind: Hashable {
    let locationType: Int
    let wheelchairBoarding: Int?
    // By their bytes: to Swift, two spellings of one letter are equal.
    let platformCode, desc, url, zoneID, timezone: ExactText?
  }

  private let stopIDs: StopIDForm
  private var counts: [ExactText: Int] = [:]
  private var previousName: ExactText?
  private var parts: [ExactText: Int] = [:]
  private var kinds: [Kind: Int] = [:]
  private var identifiers: [(stopID: ExactText, sid: Int64)] = []

  /// Creates a writer.
  ///
  /// - Parameter stopIDs: The form with which the tables were created.
  package init(stopIDs: StopIDForm = StopIDForm()) {
    self.stopIDs = stopIDs
  }

  /// Counts the parts of a name; called for all stops in the order of their numbers.
  package mutating func count(_ name: String) {
    let exact = ExactText(name)
    guard exact != previousName else { return }
    previousName = exact
    let name = StopName(name)
    counts[ExactText(String(name.start)), default: 0] += 1
    if let rest = name.rest { counts[ExactText(String(rest)), default: 0] += 1 }
  }

  /// Inserts the counted parts that several names share.
  ///
  /// The most frequent ones have the smallest numbers, which take fewer bytes.
  package mutating func insertParts(_ db: Database) throws {
    let shared = counts.filter { $0.value > 1 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    counts = [:]
    previousName = nil
    parts = Dictionary(minimumCapacity: shared.count)
    let statement = try db.makeStatement(sql: "INSERT INTO name_parts (part, text) VALUES (?, ?)")
    for (index, part) in shared.enumerated() {
      parts[part.key] = index + 1
      try statement.execute(arguments: [index + 1, part.key.text])
    }
  }

  /// The statements of one import.
  package struct Statements {
    fileprivate let stop: Statement
    fileprivate let name: Statement
    fileprivate let kind: Statement

    /// Prepares the statements.
    package init(_ db: Database) throws {
      stop = try db.makeStatement(
        sql: """
          INSERT INTO packed_stops (sid, id, code, lat, lon, kind, parent_sid)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """)
      name = try db.makeStatement(
        sql: "INSERT INTO packed_names (sid, start, rest, folded) VALUES (?, ?, ?, ?)")
      kind = try db.makeStatement(
        sql: """
          INSERT INTO stop_kinds (kind, location_type, wheelchair_boarding, platform_code,
            stop_desc, stop_url, zone_id, stop_timezone)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """)
    }
  }

  /// Inserts a stop, whose number is greater than all numbers before.
  package mutating func insert(_ place: Place, _ statements: Statements) throws {
    identifiers.append((ExactText(place.stopID), place.sid))
    let kind = try kind(of: place, statements)
    try statements.stop.execute(
      arguments: [
        place.sid, value(stopIDs.stored(place.stopID)),
        place.stopCode.map { value(StopIDForm().stored($0)) }, Self.packed(place.stopLat),
        Self.packed(place.stopLon), kind, place.parent,
      ])
    let exact = ExactText(place.stopName)
    guard exact != previousName else { return }
    previousName = exact
    let name = StopName(place.stopName)
    try statements.name.execute(
      arguments: [
        place.sid, part(name.start), name.rest.map(part), Self.folded(place.stopName),
      ])
  }

  /// Inserts the number of a stop that the feed no longer has.
  package mutating func insertRetired(
    _ sid: Int64, stopID: String, _ statements: Statements
  ) throws {
    identifiers.append((ExactText(stopID), sid))
    try statements.stop.execute(
      arguments: [sid, value(stopIDs.stored(stopID)), nil, nil, nil, nil, nil])
  }

  /// The largest number of stops in a row of `stop_ids`, all of which a lookup compares.
  private static let mostInRange = 64

  /// Inserts where identifiers are found, once all stops are inserted.
  package mutating func insertIdentifiers(_ db: Database) throws {
    // In this order already, unless a newer feed has added stops.
    identifiers.sort { $0.stopID < $1.stopID }
    let statement = try db.makeStatement(
      sql: "INSERT INTO stop_ids (least_id, first, last) VALUES (?, ?, ?)")
    var start = 0
    for index in identifiers.indices {
      let next = index + 1
      if next < identifiers.count, next - start < Self.mostInRange,
        identifiers[next].sid == identifiers[index].sid + 1
      {
        continue
      }
      try statement.execute(
        arguments: [
          identifiers[start].stopID.text, identifiers[start].sid, identifiers[index].sid,
        ])
      start = next
    }
    identifiers = []
  }

  private mutating func kind(of place: Place, _ statements: Statements) throws -> Int {
    let kind = Kind(
      locationType: place.locationType, wheelchairBoarding: place.wheelchairBoarding,
      platformCode: place.platformCode.map(ExactText.init),
      desc: place.stopDesc.map(ExactText.init), url: place.stopURL.map(ExactText.init),
      zoneID: place.zoneID.map(ExactText.init), timezone: place.stopTimezone.map(ExactText.init))
    if let known = kinds[kind] { return known }
    let number = kinds.count + 1
    kinds[kind] = number
    try statements.kind.execute(
      arguments: [
        number, place.locationType, place.wheelchairBoarding, place.platformCode, place.stopDesc,
        place.stopURL, place.zoneID, place.stopTimezone,
      ])
    return number
  }

  private func value(_ stored: StopIDForm.Stored) -> DatabaseValue {
    switch stored {
    case .number(let number): number.databaseValue
    case .text(let text): text.databaseValue
    }
  }

  private func part(_ text: Substring) -> DatabaseValue {
    let text = String(text)
    return parts[ExactText(text)]?.databaseValue ?? text.databaseValue
  }

  /// Returns ten million times the degrees, if they have at most seven decimals.
  private static func packed(_ degrees: Double?) -> DatabaseValue? {
    guard let degrees else { return nil }
    let scaled = (degrees * 1e7).rounded()
    // The sign of zero would be lost.
    guard abs(scaled) <= 1.8e9, scaled / 1e7 == degrees, scaled != 0 || degrees.sign == .plus else {
      return degrees.databaseValue
    }
    return Int64(scaled).databaseValue
  }

  /// Returns the name in plain small letters, if SQLite's tokenizer makes other letters of it.
  private static func folded(_ name: String) -> String? {
    guard let folded = FoldedText.index(of: [name]) else { return nil }
    return folded.utf8.elementsEqual(name.lowercased().utf8) ? nil : folded
  }
}
