import Foundation
import Holdfast
import HoldfastFiles
import HoldfastInspector
import HoldfastMaps

/// The answers about one tileset.
struct TilesetAnswers: Sendable {
  let item: InspectedItem
  let file: InspectedTileset

  /// Returns the metadata of the tileset.
  func overview() throws -> OutputRecord {
    var record = try file.description(named: item.name)
    record.fields += [
      .init(key: "path", cell: .text(item.name)),
      .init(key: "tiles", cell: .text("tiles/\(item.id)/{z}/{x}/{y}")),
      .init(
        key: "styles",
        cell: .list(
          AppStyle.all(nextTo: item.path).map { style in
            .record([
              "id": .text(style.name), "name": .text(style.name), "note": Cell(style.note),
            ])
          })),
    ]
    return record
  }

  /// A style of MapLibre: one that draws each layer of the tileset, or one of the app's next to it.
  func style(_ request: HTTPRequest) throws -> String {
    let theme: TilesetStyle.Theme = request["theme"] == "dark" ? .dark : .light
    let own = TilesetStyle(
      source: try file.source(), tiles: "\(request.base)tiles/\(item.id)/{z}/{x}/{y}",
      theme: theme)
    guard let name = request["style"], !name.isEmpty else { return own.json }
    guard
      let style = AppStyle.all(nextTo: item.path).first(where: { $0.name.hasSameBytes(as: name) })
    else { throw InspectionError.noStyle(name) }
    let source = OutputRecord.object(own.sourceRecord.json) ?? [:]
    return String(decoding: try style.document(source), as: UTF8.self)
  }

  /// A tile; without content where there is none.
  func tile(_ numbers: [String]) throws -> HTTPResponse {
    let values = numbers.compactMap { Int($0) }
    guard numbers.count == 3, values.count == 3 else {
      throw InspectionError.malformed("Z/X/Y", "three whole numbers")
    }
    let coordinate = try TileCoordinate(z: values[0], x: values[1], y: values[2])
    guard let tile = try file.tile(at: coordinate) else { return HTTPResponse(status: 204) }
    let type = tile.format?.mediaType ?? "application/octet-stream"
    var headers: [(name: String, value: String)] = [("Content-Type", type)]
    switch tile.compression {
    case .gzip: headers.append(("Content-Encoding", "gzip"))
    case .zlib: headers.append(("Content-Encoding", "deflate"))
    default: break
    }
    return HTTPResponse(headers: headers, body: .bytes(tile.data))
  }

  /// Returns the problems that would keep a map from showing the tileset.
  func check() throws -> OutputRecord {
    let report = try file.report()
    func cells(_ severity: TilesetProblem.Severity) -> Cell {
      .list(
        report.problems.filter { $0.severity == severity }.map { problem in
          .record([
            "message": .text(problem.message), "count": Cell(problem.count),
            "z": Cell(problem.tile?.z), "x": Cell(problem.tile?.x), "y": Cell(problem.tile?.y),
          ])
        })
    }
    return [
      "ok": .bool(report.isUsable), "tiles": Cell(report.tileCount), "problems": cells(.error),
      "warnings": cells(.warning), "note": .null,
    ]
  }
}

/// A tileset that is open in place, read-only, as a map in an app has it.
final class InspectedTileset: Sendable {
  private let tiles: any TileSource

  /// Opens a file.
  ///
  /// - Throws: `MapError`; `SharingError` when it has a log that could not be read without writing.
  init(at path: FilePath) throws {
    tiles = try TileSources.open(path.url)
  }

  func description(named name: String) throws -> OutputRecord {
    if let archive = tiles as? PMTilesArchive {
      return OutputRecord(archive.metadata, archive.header, named: name)
    }
    guard let tileset = tiles as? Tileset else { return ["file": .text(name)] }
    return OutputRecord(tileset, try tileset.coverage(), named: name)
  }

  func tile(at coordinate: TileCoordinate) throws -> Tile? {
    try tiles.tile(at: coordinate)
  }

  /// Reads all tiles.
  func report() throws -> TilesetReport {
    try tiles.check(for: nil)
  }

  /// Returns the metadata that a style needs.
  func source() throws -> TilesetStyle.Source {
    let (coverage, metadata) = (try tiles.coverage(), tiles.metadata)
    return TilesetStyle.Source(
      isVector: coverage.format.map { !$0.isImage } ?? true, zoomLevels: coverage.zoomLevels,
      bounds: coverage.bounds?.edges, attribution: metadata.attribution,
      layers: metadata.vectorLayers.map(\.id))
  }

  /// Closes the file.
  func close() { tiles.closeIgnoringErrors() }
}
