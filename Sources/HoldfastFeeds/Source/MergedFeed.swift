import Holdfast
import HoldfastFiles

/// Several feeds that are read as one, with a prefix before the identifiers of each.
///
/// A file has the rows of one feed after the other, under the columns of all of them. Lines
/// stay apart as they are in the feeds, so that the place of a problem can be named.
final class MergedFeed {
  struct Part {
    let source: FeedSource
    let prefix: String
    /// The identifier of the only agency, with the prefix; `nil` if there are several.
    fileprivate(set) var agency: [UInt8]?

    init(_ source: FeedSource, prefix: String) {
      (self.source, self.prefix) = (source, prefix)
    }
  }

  /// The columns of GTFS that hold identifiers, whatever the file.
  static let identifiers: Set<String> = [
    "agency_id", "stop_id", "parent_station", "zone_id", "level_id", "route_id", "network_id",
    "trip_id", "service_id", "block_id", "shape_id", "location_group_id", "location_id",
    "pickup_booking_rule_id", "drop_off_booking_rule_id", "fare_id", "origin_id", "destination_id",
    "contains_id", "timeframe_group_id", "rider_category_id", "fare_media_id", "fare_product_id",
    "leg_group_id", "from_area_id", "to_area_id", "from_timeframe_group_id",
    "to_timeframe_group_id", "from_network_id", "to_network_id", "from_stop_id", "to_stop_id",
    "from_route_id", "to_route_id", "from_trip_id", "to_trip_id", "from_leg_group_id",
    "to_leg_group_id", "area_id", "pathway_id", "booking_rule_id", "prior_notice_service_id",
    "attribution_id", "record_id",
  ]

  /// The files in which a blank `agency_id` means the feed's only agency.
  fileprivate static let filesOfAgencies = ["agency.txt", "routes.txt", "fare_attributes.txt"]

  let parts: [Part]
  /// The first line of each part of a file, how many lines it is below its place in the feed, and how
  /// many rows with a value it has, which is 0 until the part was read to its end.
  fileprivate(set) var sections: [String: [(line: Int, part: Int, shift: Int, rows: Int)]] = [:]

  /// Checks the prefixes and that each feed is complete.
  ///
  /// - Parameter parts: The feeds, at least one.
  /// - Throws: ``FeedError`` with `.unusablePrefix` when identifiers of two feeds could be equal, and
  ///   with `.badData` when a feed lacks a required file.
  init(_ parts: [Part]) throws {
    self.parts = try parts.enumerated().map { index, part -> Part in
      let prefix = part.prefix
      guard !prefix.unicodeScalars.contains(where: Self.isUnusable) else {
        throw FeedError.unusablePrefix(prefix, of: part.source.name)
      }
      for other in parts[..<index] where Self.isAmbiguous(prefix, other.prefix) {
        throw FeedError.equalPrefixes(other.source.name, part.source.name)
      }
      try Self.checkPresence(part.source)
      var part = part
      part.agency = try Self.onlyAgency(of: part)
      return part
    }
  }

  private static func isUnusable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || scalar.properties.isWhitespace || scalar == "\"" || scalar == ","
  }

  /// Returns whether one prefix and a text can be the other one and another text.
  private static func isAmbiguous(_ one: String, _ other: String) -> Bool {
    if one.isEmpty != other.isEmpty { return false }
    return one.utf8.starts(with: other.utf8) || other.utf8.starts(with: one.utf8)
  }

  private static func checkPresence(_ source: FeedSource) throws {
    let report = ReportBuilder(source)
    report.addMissingFiles(of: source, in: source.name + "/")
    if let problem = report.value.firstError { throw FeedError(problem, in: report.value) }
  }

  private static func onlyAgency(of part: Part) throws -> [UInt8]? {
    guard let file = part.source.files.first(where: { $0.name == "agency.txt" }) else {
      return nil
    }
    let section = try MergedSection(part, file, 0)
    let column = section.names.firstIndex { $0.foldedDatabaseIdentifier == "agency_id" }
    var ids: [[UInt8]] = []
    while ids.count < 2, let rows = try section.next() {
      for row in 0..<rows.count where !rows.isBlank(row) {
        ids.append(column.map { Array(rows.bytes[rows.range(of: $0, in: row)]) } ?? [])
      }
    }
    guard ids.count == 1 else { return nil }
    let id = Array(part.prefix.utf8) + ids[0]
    return id.isEmpty ? Array("agency".utf8) : id
  }

  /// Opens a file as a source of bytes.
  ///
  /// - Parameter name: The name of a file that at least one of the feeds has.
  /// - Returns: The bytes of a CSV file.
  /// - Throws: ``FeedError`` with `.damaged`, `.unreadable` or `.badData`; the source throws these too.
  func open(_ name: String) throws -> ByteSource {
    sections[name] = []
    let file = try MergedFile(self, name)
    return { buffer, range in try file.read(&buffer, range) }
  }

  /// Returns how many rows with a value each feed has in a file that was read once, to its end.
  ///
  /// - Parameter file: The name of the file.
  /// - Returns: The names of the feeds that have the file, in their order, and the numbers of rows.
  func rowCounts(of file: String) -> [(feed: String, rows: Int)] {
    sections[file, default: []].map { (feed: parts[$0.part].source.name, rows: $0.rows) }
  }

  /// Returns a problem with its place in the feed that it was found in.
  func placed(_ problem: FeedProblem) -> FeedProblem {
    guard let line = problem.line, line > 1, let sections = sections[problem.file],
      let section = sections.last(where: { $0.line <= line })
    else { return problem }
    var placed = problem
    placed.file = "\(parts[section.part].source.name)/\(problem.file)".printable
    placed.line = line - section.shift
    return placed
  }
}

/// The rows of a file in one of the feeds.
private final class MergedSection {
  let part: Int
  let names: [String]
  private let file: FeedSource.File
  private let feed: String
  private var splitter: CSVSplitter
  private var parser: CSVParser
  private var first: CSVRows?

  init(_ part: MergedFeed.Part, _ file: FeedSource.File, _ index: Int) throws {
    self.part = index
    self.file = file
    feed = part.source.name
    var splitter = CSVSplitter(try part.source.open(file))
    var parser = CSVParser()
    var first: CSVRows?
    var header = CSVRecord()
    while first == nil, var block = try splitter.next() {
      let rows = parser.parse(&block)
      guard rows.count > 0 else { continue }
      header = rows[0]
      first = rows.dropFirst(1)
    }
    names = (0..<header.count).map(header.text)
    self.first = first
    self.splitter = splitter
    self.parser = parser
    try checkEnd(header)
    // Its only row would become one of the other feed.
    if SubstituteContent(header.bytes(0)) != nil {
      throw FeedError.unmergeableFile(file.name, in: feed, line: header.line)
    }
  }

  /// Returns the rows of the next block, without the header.
  func next() throws -> CSVRows? {
    var rows = first
    first = nil
    if rows == nil, var block = try splitter.next() { rows = parser.parse(&block) }
    if let rows, rows.count > 0 { try checkEnd(rows[rows.count - 1]) }
    return rows
  }

  /// Refuses a file whose rest cannot be told from the file of the next feed.
  private func checkEnd(_ record: CSVRecord) throws {
    for flaw in record.flaws {
      switch flaw.kind {
      case .unterminatedQuote, .tooLong, .utf16:
        throw FeedError.unmergeableFile(file.name, in: feed, line: record.line)
      default: continue
      }
    }
  }
}

/// The bytes of a file of several feeds.
private final class MergedFile {
  private let feed: MergedFeed
  private let name: String
  private var sections: [MergedSection]
  /// The columns of all feeds.
  private var columns: [String] = []
  /// Whether a column holds identifiers.
  private var isIdentifier: [Bool] = []
  private var agencyColumn: Int?
  /// The number of each column of the feeds among all, by section.
  private var places: [[Int]] = []
  private var position = 0
  private var buffer: [UInt8] = []
  private var taken = 0
  /// The line on which the next row is.
  private var line = 1
  /// How many lines that is below the row's place in its feed.
  private var shift = 0
  /// The number of rows with a value that the section has so far.
  private var rowCount = 0
  private var isBegun = false

  init(_ feed: MergedFeed, _ name: String) throws {
    self.feed = feed
    self.name = name
    sections = try feed.parts.enumerated().compactMap { index, part -> MergedSection? in
      let files = part.source.files + part.source.otherFiles
      return try files.first { $0.name == name }.map { try MergedSection(part, $0, index) }
    }
    for section in sections { places.append(place(section.names)) }
    let hasAgency = columns.contains { $0.foldedDatabaseIdentifier == "agency_id" }
    if !hasAgency, !columns.isEmpty, MergedFeed.filesOfAgencies.contains(name) {
      columns.append("agency_id")
    }
    isIdentifier = columns.map { MergedFeed.identifiers.contains($0.lowercased()) }
    agencyColumn =
      MergedFeed.filesOfAgencies.contains(name)
      ? columns.firstIndex { $0.foldedDatabaseIdentifier == "agency_id" } : nil
  }

  /// Finds columns in the feeds before, and adds the ones that they do not have.
  private func place(_ names: [String]) -> [Int] {
    var taken: Set<Int> = []
    return names.map { name in
      let found = columns.indices.first {
        !taken.contains($0) && !name.isEmpty
          && columns[$0].foldedDatabaseIdentifier == name.foldedDatabaseIdentifier
      }
      if found == nil { columns.append(name) }
      let place = found ?? columns.count - 1
      taken.insert(place)
      return place
    }
  }

  func read(_ bytes: inout [UInt8], _ range: Range<Int>) throws -> Int {
    while taken == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      taken = 0
      guard try fill() else { return 0 }
    }
    let count = min(range.count, buffer.count - taken)
    bytes.replaceSubrange(range.prefix(count), with: buffer[taken..<taken + count])
    taken += count
    return count
  }

  /// Writes the next rows into the buffer; returns whether there were any.
  private func fill() throws -> Bool {
    if !isBegun {
      isBegun = true
      if columns.isEmpty || sections.allSatisfy(\.names.isEmpty) {
        position = sections.count
        return false
      }
      for (index, name) in columns.enumerated() {
        if index > 0 { buffer.append(CSVBytes.comma) }
        append(Array(name.utf8)[...])
      }
      buffer.append(CSVBytes.lineFeed)
      line = 2
      beginSection()
      return true
    }
    while position < sections.count {
      if let rows = try sections[position].next() {
        for row in 0..<rows.count { try append(row, rows) }
        return true
      }
      feed.sections[name]?[position].rows = rowCount
      position += 1
      beginSection()
    }
    return false
  }

  private func beginSection() {
    guard position < sections.count else { return }
    shift = line - 2
    rowCount = 0
    feed.sections[name, default: []].append(
      (line: line, part: sections[position].part, shift: shift, rows: 0))
  }

  private func append(_ row: Int, _ rows: CSVRows) throws {
    let places = places[position]
    let part = feed.parts[sections[position].part]
    while line < rows.line(of: row) + shift {
      buffer.append(CSVBytes.lineFeed)
      line += 1
    }
    var fields = [Range<Int>?](repeating: nil, count: columns.count)
    for (column, place) in places.enumerated() { fields[place] = rows.range(of: column, in: row) }
    let isBlank = rows.isBlank(row)
    if !isBlank { rowCount += 1 }
    for (place, field) in fields.enumerated() {
      if place > 0 { buffer.append(CSVBytes.comma) }
      let bytes = field.map { rows.bytes[$0] } ?? []
      if !bytes.isEmpty {
        try append(bytes, isIdentifier: isIdentifier[place], part)
      } else if place == agencyColumn, !isBlank, let agency = part.agency {
        append(agency[...])
      }
    }
    // Values without a column stay what they are: a flaw.
    for field in places.count..<max(places.count, rows.fieldCount(of: row)) {
      let bytes = rows.bytes[rows.range(of: field, in: row)]
      if bytes.isEmpty { continue }
      buffer.append(CSVBytes.comma)
      append(bytes)
    }
    buffer.append(CSVBytes.lineFeed)
    line += 1
  }

  private func append(
    _ bytes: ArraySlice<UInt8>, isIdentifier: Bool, _ part: MergedFeed.Part
  ) throws {
    guard isIdentifier else { return append(bytes) }
    if part.prefix.isEmpty {
      for other in feed.parts where !other.prefix.isEmpty && bytes.starts(with: other.prefix.utf8) {
        throw FeedError.identifierWithPrefix(
          String(decoding: bytes, as: UTF8.self), of: part.source.name, other.prefix,
          of: other.source.name)
      }
      return append(bytes)
    }
    append((Array(part.prefix.utf8) + bytes)[...])
  }

  /// Appends a field, in quotes if it needs them, and counts the lines in it.
  private func append(_ bytes: ArraySlice<UInt8>) {
    let needsQuotes =
      bytes.contains { $0 == CSVBytes.quote || CSVBytes.endsField($0) }
      || bytes.first.map(CSVBytes.isPadding) ?? false || bytes.last.map(CSVBytes.isPadding) ?? false
    guard needsQuotes else {
      buffer.append(contentsOf: bytes)
      return
    }
    buffer.append(CSVBytes.quote)
    var last: UInt8 = 0
    for byte in bytes {
      if byte == CSVBytes.quote { buffer.append(byte) }
      let isSecond = byte == CSVBytes.lineFeed && last == CSVBytes.carriageReturn
      if byte == CSVBytes.carriageReturn || byte == CSVBytes.lineFeed && !isSecond { line += 1 }
      buffer.append(byte)
      last = byte
    }
    buffer.append(CSVBytes.quote)
  }
}
