import Foundation
import Holdfast
import HoldfastMaps

/// A layer of a vector tile as GeoJSON, with positions in degrees.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc7946>
struct TileGeoJSON {
  /// A feature collection, with the layer's name, version and extent.
  let layer: Cell

  /// Converts a layer.
  ///
  /// - Parameters:
  ///   - tile: The place of the tile.
  ///   - layer: The layer.
  /// - Throws: `VectorTileFault` when a feature cannot be read.
  init(_ tile: TileCoordinate, _ layer: VectorTileLayer) throws(VectorTileFault) {
    let projection = Projection(tile, extent: layer.extent)
    var features: [Cell] = []
    for index in 0..<layer.featureCount {
      features.append(Self.feature(try layer.readFeature(at: index), projection))
    }
    self.layer = .record([
      "type": .text("FeatureCollection"), "name": .text(layer.name),
      "version": Cell(Int64(clamping: layer.version)),
      "extent": Cell(Int64(clamping: layer.extent)),
      "features": .list(features),
    ])
  }

  private static func feature(_ feature: VectorTileFeature, _ projection: Projection) -> Cell {
    var record: OutputRecord = ["type": .text("Feature")]
    if let id = feature.id { record.fields.append(.init(key: "id", cell: cell(.unsigned(id)))) }
    record.fields.append(.init(key: "geometry", cell: geometry(feature.geometry, projection)))
    // Of several values of a key, which the specification forbids, the last one.
    var names: Set<ExactText> = []
    var properties: [OutputRecord.Field] = []
    for attribute in feature.attributes.reversed()
    where names.insert(ExactText(attribute.key)).inserted {
      properties.append(.init(key: attribute.key, cell: attribute.value.map(cell) ?? .null))
    }
    record.fields.append(
      .init(
        key: "properties",
        cell: .record(
          OutputRecord(
            columns: properties.reversed().map(\.key), cells: properties.reversed().map(\.cell)))))
    return .record(record)
  }

  private static func cell(_ value: VectorTileValue) -> Cell {
    switch value {
    case .text(let text): .text(text)
    case .real(let number): .real(number)
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .bool(let value): .bool(value)
    }
  }

  /// Returns a geometry; null for one of no known type.
  private static func geometry(_ geometry: VectorTileGeometry, _ projection: Projection) -> Cell {
    func geometryCell(_ type: String, _ parts: [Cell]) -> Cell {
      // One part alone is no collection of parts.
      parts.count == 1
        ? .record(["type": .text(type), "coordinates": parts[0]])
        : .record(["type": .text("Multi" + type), "coordinates": .list(parts)])
    }
    switch geometry.kind {
    case .unknown: return .null
    case .point: return geometryCell("Point", geometry.parts.joined().map(projection.position))
    case .line:
      return geometryCell(
        "LineString", geometry.parts.map { .list($0.map(projection.position)) })
    case .polygon:
      return geometryCell(
        "Polygon",
        geometry.polygons.map { rings in
          .list(rings.enumerated().map { projection.ring($1, isExterior: $0 == 0) })
        })
    }
  }

  /// The conversion of a layer's units into degrees.
  private struct Projection {
    private let tile: TileCoordinate
    private let extent: Double
    private let side: Double

    init(_ tile: TileCoordinate, extent: UInt64) {
      (self.tile, self.extent, side) = (tile, Double(extent), Double(1 << tile.z))
    }

    func position(_ point: VectorTileGeometry.Point) -> Cell {
      let x = (Double(tile.x) + Double(point.x) / extent) / side
      let y = (Double(tile.y) + Double(point.y) / extent) / side
      let latitude = atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
      return .list([.real(Self.rounded(x * 360 - 180)), .real(Self.rounded(latitude))])
    }

    /// A position on a map needs no more than millimeters.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 1e8).rounded() / 1e8 }

    /// Returns a closed ring that turns as GeoJSON demands: an exterior one counterclockwise.
    func ring(_ ring: [VectorTileGeometry.Point], isExterior: Bool) -> Cell {
      // Rows grow to the south, so that a positive area turns clockwise on the map.
      let isClockwise = VectorTileGeometry.doubledArea(ring) > 0
      let positions = (isClockwise == isExterior ? ring.reversed() : ring).map(position)
      return .list(positions + positions.prefix(1))
    }
  }
}
