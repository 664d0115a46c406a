import Foundation
import Holdfast
import HoldfastFiles

/// The metadata of a tileset, in a form between its two formats.
///
/// MBTiles has rows of texts, of which `json` contains further values. PMTiles has a header with numbers, and one JSON
/// object with texts and further values.
struct TilesetDescription: Sendable {
  /// A text, such as the name or the credit.
  struct Text: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// A value that is no text, such as the list of layers, as it is spelled.
  struct Member: Hashable, Sendable {
    var name: String
    var json: [UInt8]
  }

  private(set) var texts: [Text] = []
  private(set) var members: [Member] = []
  private(set) var tileType = PMTilesHeader.TileType.unknown
  private(set) var bounds: GeographicBounds?
  private(set) var center: MapCenter?

  /// The first and the last zoom level that the tileset says, whatever its tiles have.
  private(set) var statedZoomLevels: (first: Int?, last: Int?) = (nil, nil)

  /// Sentences about the metadata that neither format keeps.
  private(set) var losses: [String] = []

  /// The names of what a PMTiles header says.
  private static let namesOfHeader: Set<String> = [
    "format", "bounds", "center", "minzoom", "maxzoom",
  ]

  /// The names of texts, which are rows in MBTiles.
  private static let namesOfTexts: Set<String> = [
    "name", "description", "attribution", "type", "version",
  ]

  // MARK: - MBTiles

  init(_ db: Database) throws {
    let metadata = try TilesetMetadata(db)
    (bounds, center) = (metadata.bounds, metadata.center)
    statedZoomLevels = (metadata.minimumZoom, metadata.maximumZoom)
    let sample = try Data.fetchOne(
      db,
      sql:
        "SELECT tile_data FROM tiles WHERE typeof(tile_data) = 'blob' AND length(tile_data) > 0 LIMIT 1"
    )
    tileType =
      sample.flatMap(TileFormat.init(firstBytesOf:)).map(PMTilesHeader.TileType.init)
      ?? PMTilesHeader.TileType(format: metadata.format ?? "")
    let json = metadata["json"].flatMap { text in
      // What is no object has no members, and stays a text.
      (try? JSONDocument(Array(text.utf8))).flatMap { $0.root.isObject ? $0 : nil }
    }
    if let json {
      let members = json.root.members.filter { !isRow($0, metadata) }
      add(members, of: json, hasTexts: false)
    }
    let taken = Set(members.map(\.name))
    var seen: Set<String> = []
    for entry in metadata.entries where seen.insert(entry.name).inserted {
      let value = metadata[entry.name] ?? entry.value
      if metadata.entries.count(where: { $0.name == entry.name }) > 1 {
        losses.append("Of several rows '\(entry.name)' of the metadata, only the last one.")
      }
      if entry.name == "json", json != nil { continue }
      if Self.namesOfHeader.contains(entry.name) {
        noteUnread(entry.name, value, metadata)
      } else if taken.contains(entry.name) {
        losses.append("The row '\(entry.name)', which 'json' contains too.")
      } else {
        texts.append(Text(name: entry.name, value: value))
      }
    }
    if try Self.hasGrids(db) { losses.append("The interaction grids (UTFGrid).") }
  }

  /// Whether a row takes the place of a member of 'json', as it does where the tileset is read.
  private mutating func isRow(
    _ member: JSONDocument.Member, _ metadata: TilesetMetadata
  ) -> Bool {
    let text = member.value.text
    guard let row = metadata[member.key], member.key != "json",
      !Self.namesOfHeader.contains(member.key),
      text != nil || Self.namesOfTexts.contains(member.key)
    else { return false }
    if text != row {
      losses.append("The member '\(member.key)' of 'json', which a row contains too.")
    }
    return true
  }

  private static func hasGrids(_ db: Database) throws -> Bool {
    guard try db.tableExists("grids") || db.viewExists("grids") else { return false }
    do {
      // mb-util makes the table in any case.
      return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT * FROM grids)") ?? false
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A view that cannot be read may have had some.
      return true
    }
  }

  private mutating func noteUnread(_ name: String, _ value: String, _ metadata: TilesetMetadata) {
    let isRead =
      switch name {
      case "bounds": bounds != nil
      case "center": center != nil
      case "format": tileType != .unknown && PMTilesHeader.TileType(format: value) == tileType
      // The zoom levels are those of the tiles.
      default: true
      }
    if !isRead && !value.isEmpty {
      losses.append(
        "The \(name) '\(value.prefix(100))', which cannot be read or is not that of the tiles.")
    }
  }

  // MARK: - PMTiles

  init(_ file: PMTilesFile) throws {
    let bytes = try file.metadata()
    let document: JSONDocument
    do throws(JSONDocument.Fault) {
      guard
        !JSONDocument.hasMoreValues(
          than: TilesetLimits.jsonValueCount, String(decoding: bytes, as: UTF8.self))
      else { throw JSONDocument.Fault(reason: "it has too many values", offset: 0) }
      document = try JSONDocument(bytes)
    } catch {
      throw MapError.damagedArchive(
        file.path.name, reading: "its metadata", because: "they are no JSON (\(error.reason))")
    }
    guard document.root.isObject else {
      throw MapError.damagedArchive(
        file.path.name, reading: "its metadata", because: "they are no JSON object")
    }
    tileType = file.header.tileType
    if tileType == .unknown {
      let formats = try file.firstContents(16).lazy.compactMap {
        TileFormat(firstBytesOf: Data($0))
      }
      tileType = formats.first.map(PMTilesHeader.TileType.init) ?? .unknown
    }
    // An archive that says nothing has zeros.
    bounds = file.header.edges == [0, 0, 0, 0] ? nil : file.header.bounds
    center = file.header.firstView
    statedZoomLevels = (file.header.minimumZoom, file.header.maximumZoom)
    add(document.root.members, of: document, hasTexts: true)
    unfoldJSON()
  }

  /// Makes members of the text 'json', in which pmtiles-convert of PyPI leaves the layers of an MBTiles file.
  private mutating func unfoldJSON() {
    guard let index = texts.firstIndex(where: { $0.name == "json" }),
      // What is no object has no members, and stays a text.
      let document = try? JSONDocument(Array(texts[index].value.utf8)), document.root.isObject
    else { return }
    texts.remove(at: index)
    let taken = Set(members.map(\.name) + texts.map(\.name))
    for member in document.root.members where taken.contains(member.key) {
      losses.append("The member '\(member.key)' of 'json', which the JSON contains too.")
    }
    add(document.root.members.filter { !taken.contains($0.key) }, of: document, hasTexts: false)
  }

  /// Creates what a header alone says.
  init(_ header: PMTilesHeader) {
    tileType = header.tileType
    (bounds, center) = (header.bounds, header.firstView)
  }

  private mutating func add(
    _ members: [JSONDocument.Member], of document: JSONDocument, hasTexts: Bool
  ) {
    var seen: Set<String> = []
    for member in members {
      guard seen.insert(member.key).inserted else {
        losses.append("A second member '\(member.key)' of the JSON.")
        continue
      }
      if hasTexts, Self.namesOfHeader.contains(member.key) {
        // tippecanoe writes 'format', which says the same.
        if !isSaid(member, in: document) {
          losses.append("The member '\(member.key)' of the JSON, which the header says too.")
        }
      } else if member.key == "attribution", member.value.text == nil {
        // rio-pmtiles writes null, with which MapLibre Native refuses an archive ("source attribution must be a string").
        losses.append("The member 'attribution' of the JSON, which is no text.")
      } else if hasTexts, let text = member.value.text {
        texts.append(Text(name: member.key, value: text))
      } else {
        self.members.append(
          Member(name: member.key, json: Array(document.bytes[member.value.range])))
      }
    }
  }

  /// Returns whether a member of the JSON says what the header says.
  private func isSaid(_ member: JSONDocument.Member, in document: JSONDocument) -> Bool {
    let (value, text) = (member.value, member.value.text)
    let number = text.flatMap(Double.init) ?? document.number(value)
    let numbers =
      text?.split(separator: ",").map { Double($0) } ?? value.elements.map(document.number)
    func isEqual(to own: [Double]?) -> Bool {
      guard let own, own.count == numbers.count else { return false }
      // The header has ten millionths of a degree.
      return zip(own, numbers).allSatisfy { own, other in
        other.map { (own - $0).magnitude < 0.000_001 } ?? false
      }
    }
    switch member.key {
    case "format": return text.map { PMTilesHeader.TileType(format: $0) == tileType } ?? false
    case "minzoom": return number == statedZoomLevels.first.map(Double.init)
    case "maxzoom": return number == statedZoomLevels.last.map(Double.init)
    case "bounds": return isEqual(to: bounds?.edges)
    default:
      return isEqual(to: center.map { [$0.longitude, $0.latitude, Double($0.zoom)] })
    }
  }

  // MARK: - Writing

  /// The name of the row that says how rows are counted, which renderers ignore in MBTiles.
  ///
  /// Of an archive, in which they are always counted from the north, MapLibre Native for iOS obeys it before version 6.14.
  private static let scheme = "scheme"

  /// Sentences about the metadata that an archive does not keep.
  var archiveLosses: [String] {
    var losses: [String] = []
    if texts.contains(where: { $0.name == Self.scheme }) {
      losses.append("The row 'scheme': rows of an archive are always counted from the north.")
    }
    if let otherProjection {
      losses.append(
        "The projection '\(otherProjection.prefix(100))': readers of an archive know Web Mercator only, and few of "
          + "them the metadata's 'crs'.")
    }
    return losses
  }

  /// The coordinate reference system of the tiles, if they say that it is another than Web Mercator.
  var otherProjection: String? {
    TileProjection.other(texts.first { $0.name == TileProjection.key }?.value)
  }

  /// The JSON of a PMTiles archive.
  var archiveJSON: [UInt8] {
    Self.object(
      texts.filter { $0.name != Self.scheme }.map { text in
        let quote = UInt8(ascii: "\"")
        return Member(name: text.name, json: [quote] + JSONString.escaped(text.value) + [quote])
      } + members)
  }

  /// Returns the rows of the table `metadata` of MBTiles.
  func rows(
    zoomLevels: ClosedRange<Int>?, bounds: GeographicBounds?, center: MapCenter?
  ) -> [Text] {
    var rows = texts
    rows.append(Text(name: "format", value: tileType.format))
    if let zoomLevels {
      rows.append(Text(name: "minzoom", value: "\(zoomLevels.lowerBound)"))
      rows.append(Text(name: "maxzoom", value: "\(zoomLevels.upperBound)"))
    }
    if let bounds {
      let edges = bounds.edges.map { "\($0)" }.joined(separator: ",")
      rows.append(Text(name: "bounds", value: edges))
    }
    if let center {
      let view = "\(center.longitude),\(center.latitude),\(center.zoom)"
      rows.append(Text(name: "center", value: view))
    }
    if !members.isEmpty {
      rows.append(Text(name: "json", value: String(decoding: Self.object(members), as: UTF8.self)))
    }
    return rows
  }

  private static func object(_ members: [Member]) -> [UInt8] {
    var bytes = [UInt8(ascii: "{")]
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += Array("\"".utf8) + JSONString.escaped(member.name) + Array("\":".utf8) + member.json
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

extension TileFormat {
  /// The media type of a tile in this format.
  package var mediaType: String { PMTilesHeader.TileType(self).mediaType }
}

extension PMTilesHeader.TileType {
  /// Creates the type of a format that is known by its first bytes.
  init(_ format: TileFormat) {
    self =
      switch format {
      case .png: .png
      case .jpg: .jpeg
      case .webp: .webp
      case .pbf: .mvt
      case .mlt: .mlt
      }
  }

  /// Creates the type of the value of the row `format` of MBTiles.
  init(format: String) {
    let name = format.lowercased()
    self =
      Self.allCases.first {
        $0.format == name || $0.mediaType == name || $0.name == name && $0 != .unknown
      } ?? TileFormat(declared: name).map(Self.init) ?? .unknown
  }

  /// The value of the row `format` of MBTiles: a name, or a media type for what has none there.
  var format: String {
    switch self {
    case .mvt: "pbf"
    case .jpeg: "jpg"
    case .png: "png"
    case .webp: "webp"
    case .avif, .mlt, .unknown: mediaType
    }
  }

  fileprivate var mediaType: String {
    switch self {
    case .mvt: "application/vnd.mapbox-vector-tile"
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    case .avif: "image/avif"
    case .mlt: "application/vnd.maplibre-vector-tile"
    case .unknown: "application/octet-stream"
    }
  }
}
