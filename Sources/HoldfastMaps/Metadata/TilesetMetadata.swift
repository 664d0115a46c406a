import Foundation
import Holdfast
import HoldfastFiles

/// A tileset's description of itself: the rows of its table `metadata`.
///
/// A value that cannot be read counts as absent, as TileJSON demands of its readers; a check of the
/// tileset reports it.
///
/// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>, "Metadata"
public struct TilesetMetadata: Hashable, Sendable {
  /// A row of the table.
  public struct Entry: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value; a NULL is an empty text.
    public let value: String
  }

  /// All rows, in the order of the file.
  public let entries: [Entry]

  /// Creates metadata from rows.
  init(entries: [Entry]) { self.entries = entries }

  /// Reads the table.
  ///
  /// - Throws: ``MapError`` with `.invalidTileset` when it has too many rows, or JSON with too many
  ///   values; `DatabaseError`.
  init(_ db: Database) throws {
    entries = try TilesetLimits.pairs(
      "its metadata", db, sql: "SELECT CAST(name AS TEXT), CAST(value AS TEXT) FROM metadata"
    ).map { name, value in Entry(name: name, value: value ?? "") }
    if let json = text("json"),
      JSONDocument.hasMoreValues(than: TilesetLimits.jsonValueCount, json)
    {
      throw MapError.tooManyLayers(in: db.path.map { FilePath($0).name } ?? "tileset")
    }
  }

  /// The value of a name; of several rows with that name, the last one.
  public subscript(name: String) -> String? {
    entries.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  private func text(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  // MARK: - Values

  /// The tileset's name for people.
  public var name: String? { text("name") }

  /// A description of the content.
  public var summary: String? { text("description") }

  /// The credit that a map must show, possibly as HTML.
  public var attribution: String? { text("attribution") }

  /// The version of the content.
  public var version: String? { text("version") }

  /// The kind of layer: `baselayer` or `overlay`.
  public var type: String? { text("type") }

  /// The declared format of the tiles: `pbf`, `jpg`, `png`, `webp`, `mlt` or a media type.
  public var format: String? { text("format") }

  /// The first zoom level with tiles.
  public var minimumZoom: Int? { zoom("minzoom") }

  /// The last zoom level with tiles.
  public var maximumZoom: Int? { zoom("maxzoom") }

  /// The area that the tiles cover.
  public var bounds: GeographicBounds? { text("bounds").flatMap(GeographicBounds.init) }

  /// The view that a map shows first.
  public var center: MapCenter? { text("center").flatMap(MapCenter.init) }

  /// The layers of vector tiles; empty when there are none or when they cannot be read.
  public var vectorLayers: [VectorLayer] {
    text("json").flatMap { VectorLayer.layers(inJSON: $0) } ?? []
  }

  /// Returns a zoom level, which some tools write with a fraction of zero, such as "3.0".
  private func zoom(_ name: String) -> Int? {
    text(name).flatMap { Int($0) ?? Double($0).flatMap(Int.init(exactly:)) }.flatMap {
      (0...TileCoordinate.maximumZoom).contains($0) ? $0 : nil
    }
  }
}
