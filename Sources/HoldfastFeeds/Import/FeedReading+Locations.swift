import Holdfast
import HoldfastFiles
import HoldfastTransit

extension FeedReading {
  /// Reads the zones of services on demand.
  ///
  /// - Returns: The file; `nil` if the feed has none that can be read.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; `DatabaseError` with SQLite's code.
  func readLocations() throws -> FeedLocations? { try readLocations(report) }

  /// Returns the identifiers of zones and of groups of stops, which are read before the times.
  ///
  /// Problems are not reported here, but when the files are read for their content.
  ///
  /// - Throws: As ``readLocations()``.
  func zoneIDs() throws -> Set<ExactText> {
    let unused = ReportBuilder(source)
    var ids = try readLocations(unused)?.ids ?? []
    guard let file = source.files.first(where: { $0.name == "location_groups.txt" }) else {
      return ids
    }
    var rows = FeedRows(of: file, depth: .text, report: unused, onRow: nil)
    try rows.open(in: source, FeedMeter { _ in })
    guard let id = rows.header?.firstIndex(of: "location_group_id") else { return ids }
    while try rows.next() {
      if !rows.parser.record.isBlank(id) { ids.insert(ExactText(rows.parser.record.text(id))) }
    }
    return ids
  }

  private func readLocations(_ report: ReportBuilder) throws -> FeedLocations? {
    guard let file = source.files.first(where: { $0.name == LocationsTable.file }) else {
      return nil
    }
    var parts: [(text: String, prefix: String)] = []
    for part in source.parts(of: file) {
      guard let bytes = try Self.bytes(part.open()) else {
        report.add(.longLocations(ReadingLimit.locations.most).at(file.name))
        continue
      }
      let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
      let own = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
      guard let text = String(validating: own, as: UTF8.self) else {
        report.add(.noJSON().at(file.name))
        continue
      }
      parts.append((text, part.prefix))
    }
    let locations = try FeedLocations(parts, report)
    report.finish(file.name, rows: locations?.count ?? 0, dialect: CSVDialect())
    return locations
  }

  /// Returns all bytes of a file; `nil` if it has more than are accepted.
  private static func bytes(_ source: ByteSource) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while case let count = try source(&buffer, 0..<buffer.count), count > 0 {
      bytes += buffer[..<count]
      if bytes.count > ReadingLimit.locations.most { return nil }
    }
    return bytes
  }

  /// Reads the zones of services on demand, and writes them into a timetable database.
  ///
  /// - Parameter db: The connection, inside a transaction.
  /// - Returns: The number of zones; `nil` if the feed has no file of them that can be read.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; `DatabaseError` with SQLite's code.
  func writeLocations(_ db: Database) throws -> Int? {
    guard let locations = try readLocations() else { return nil }
    try LocationsTable(db).create(locations.content)
    return locations.count
  }
}
