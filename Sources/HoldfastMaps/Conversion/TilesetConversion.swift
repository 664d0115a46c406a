public import Foundation
import Holdfast
import HoldfastFiles

/// The conversion of a tileset between MBTiles and PMTiles, whole or in part.
///
/// ```swift
/// var conversion = TilesetConversion(from: download, to: folder.appending(path: "city.pmtiles"))
/// conversion.bounds = GeographicBounds(west: 13.1, south: 52.3, east: 13.8, north: 52.7)
/// let report = try conversion.run()
/// ```
///
/// The formats are known by the content of the source and by the name of the destination: `.mbtiles` or
/// `.pmtiles`. The destination is *atomic* and *durable*: it is the old file or the complete new one. Equal tilesets
/// become equal files with one version of the libraries. Equal tiles are stored once, and a PMTiles archive is
/// clustered. Tiles keep their bytes; vector tiles that are not compressed by gzip are, as both formats ask for.
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>,
///   <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>
public struct TilesetConversion: Sendable {
  /// The result of a conversion.
  public struct Report: Hashable, Sendable {
    /// The number of tiles.
    public var tileCount = 0
    /// The number of different tiles.
    public var contentCount = 0
    /// The length of the new file, in bytes.
    public var byteCount: Int64 = 0
    /// Sentences about the metadata, tiles and rows that the new file does not keep.
    public var losses: [String] = []
    /// Sentences about what a map draws otherwise than from the source: tiles that the bounds cut off in one format and
    /// not in the other, another first view, other zoom levels.
    public var changes: [String] = []
  }

  /// The tileset that is read.
  public let source: URL

  /// The file that is made.
  public let destination: URL

  /// Whether an existing file of that name is replaced; false by default.
  public var replaces = false

  /// The area whose tiles are kept; `nil` keeps all of them.
  ///
  /// Only of tiles in Web Mercator it is known where they are.
  public var bounds: GeographicBounds?

  /// The zoom levels whose tiles are kept; `nil` keeps all of them.
  public var zoomLevels: ClosedRange<Int>?

  /// Prepares a conversion, without reading anything.
  ///
  /// - Parameters:
  ///   - source: The tileset, in either format.
  ///   - destination: The new file, whose name ends with `.mbtiles` or `.pmtiles`.
  public init(from source: URL, to destination: URL) {
    (self.source, self.destination) = (source, destination)
  }

  /// Makes the new file.
  ///
  /// - Parameter progress: Called with the part that is done, from 0 to 1; it ends the conversion by throwing.
  /// - Returns: What was made, and what is lost.
  /// - Throws: ``MapError`` with `.notFound`, `.invalidTileset` or `.damaged` for the source, with
  ///   `.unusablePath` for a destination that exists or has another name; `FileError` and `DatabaseError` when it
  ///   cannot be written; whatever `progress` throws.
  public func run(progress: (Double) throws -> Void = { _ in }) throws -> Report {
    let target = try FilePath(of: destination)
    guard let format = TilesetFileFormat(nameOf: target) else {
      throw MapError.noTilesetName(target)
    }
    if try target.exists() {
      guard replaces else { throw MapError.destinationExists(target) }
      guard try TilesetFileFormat.isTileset(target) else {
        throw MapError.noTilesetToReplace(target)
      }
    }
    let tiles = try ConvertedTiles(at: FilePath(of: source))
    if bounds != nil, let other = tiles.source.description.otherProjection {
      throw MapError.areaInOtherProjection(tiles.source.path, other)
    }
    let selection = TileSelection(bounds: bounds, zoomLevels: zoomLevels)
    return try AtomicReplace(at: destination).write { staging in
      let staging = try FilePath(of: staging)
      var report: Report
      switch format {
      case .pmtiles:
        var writer = PMTilesWriter(tiles, of: selection, at: staging)
        report = try writer.run(progress)
      case .mbtiles:
        var writer = MBTilesWriter(tiles, of: selection, at: staging)
        report = try writer.run(progress)
      }
      // Afterwards nothing may fail, because the file is there.
      report.byteCount = try staging.byteCount() ?? 0
      return report
    }
  }
}
