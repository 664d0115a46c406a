import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

/// A check that several threads do finds what one finds, in the same order.
@Suite struct TileBatchTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private typealias Bytes = VectorTileBytes

  /// A tileset of four batches and more, in which every 700th tile has one of three faults, and most are equal.
  private func sample() -> SampleTileset {
    var sample = SampleTileset.ofVectorTile()
    sample.tiles = []
    sample.metadata = [
      ("name", "n"), ("format", "pbf"), ("minzoom", "6"), ("maxzoom", "6"),
      ("bounds", "-180,-85,180,85"),
      ("json", #"{"vector_layers":[{"id":"places"},{"id":"late"}]}"#),
    ]
    let broken = CompressedBytes.gzip(Bytes.tile()).dropLast(3)
    let (html, other) = (
      Array("<html>".utf8), CompressedBytes.gzip(Bytes.tile(Bytes.layer(version: 3)))
    )
    let own = CompressedBytes.gzip(Bytes.tile(Bytes.layer("late")))
    for number in 0..<4096 {
      let bytes =
        number % 700 != 650
        ? (number == 4000 ? own : CompressedBytes.gzip(Bytes.tile()))
        : [Array(broken), html, other][number / 700 % 3]
      sample.tiles.append((6, number / 64, number % 64, Data(bytes).databaseValue))
    }
    return sample
  }

  @Test func `Faults are counted, and the first one of each kind is named`() throws {
    let url = folder.file("a.mbtiles")
    try sample().write(to: url)
    let reports = try (0..<10).map { _ in try Tileset(at: url).check() }
    let report = reports[0]
    #expect(report.tileCount == 4096)
    let found = report.problems.filter { $0.tile != nil }
    // The rows are counted from the south in the file.
    #expect(
      found.map { "\($0.kind) \($0.count) \($0.tile?.description ?? "")" } == [
        "brokenCompression 2 6/10/53", "unknownFormat 2 6/21/57", "irregularVectorTile 1 6/32/61",
      ])
    #expect(!report.problems.contains { $0.kind == .absentLayer })
    #expect(reports.allSatisfy { $0 == report })
  }

  @Test func `A fault of equal tiles is found at each of them`() throws {
    var sample = SampleTileset.ofVectorTile()
    let bytes = CompressedBytes.gzip(Bytes.tile()).dropLast(1)
    sample.tiles = (0..<256).map { number in
      (4, number / 16, number % 16, Data(bytes).databaseValue)
    }
    let url = folder.file("b.mbtiles")
    try sample.changing(["minzoom": "4", "maxzoom": "4"]).write(to: url)
    let report = try Tileset(at: url).check()
    #expect(report.problems.first { $0.kind == .brokenCompression }?.count == 256)
  }

  /// Each tile, of few bytes, has a layer whose name has a million.
  @Test func `Names of layers take no more memory than real ones need`() throws {
    var sample = SampleTileset.ofVectorTile()
    sample.tiles = (0..<8).map { number in
      let name = String(
        repeating: Character(UnicodeScalar(UInt8(65 + number))), count: 1 << 20 + 1)
      let tile = GzipDeflater.deflate(Bytes.tile(Bytes.layer(name)))
      return (2, number / 4, number % 4, Data(tile).databaseValue)
    }
    sample.tiles.append((0, 0, 0, SampleTileset.vector.databaseValue))
    let url = folder.file("names.mbtiles")
    try sample.changing(["maxzoom": "2"]).write(to: url)
    try DatabaseQueue(path: url.path).read { db in
      var tiles = TileExamination(try RendererMetadata(TilesetMetadata(db)))
      try tiles.readAll(hasEqualTiles: true) { add in
        for row in try Row.fetchAll(
          db, sql: "SELECT zoom_level, tile_column, tile_row, tile_data, true FROM tiles")
        {
          try add { try $0.add(row) }
        }
      }
      #expect(tiles.hasMoreLayers && tiles.layers.map(\.text) == ["places"])
    }
  }

  @Test func `An archive has the same faults as its tileset`() throws {
    let url = folder.file("c.mbtiles")
    try sample().write(to: url)
    let archive = folder.file("c.pmtiles")
    _ = try TilesetConversion(from: url, to: archive).run()
    let report = try PMTilesArchive(at: archive).check()
    #expect(report.tileCount == 4096)
    let kinds = report.problems.map(\.kind)
    #expect(kinds.contains(.brokenCompression) && kinds.contains(.irregularVectorTile))
    #expect(try (0..<5).allSatisfy { _ in try PMTilesArchive(at: archive).check() == report })
  }

  @Test func `A check of an archive ends when its task is cancelled`() async throws {
    let url = folder.file("d.mbtiles")
    try sample().write(to: url)
    let archive = folder.file("d.pmtiles")
    _ = try TilesetConversion(from: url, to: archive).run()
    let (tileset, tiles) = (try Tileset(at: url), try PMTilesArchive(at: archive))
    for source in [tileset, tiles] as [any TileSource] {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await source.check(for: nil)
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await tiles.check().tileCount == 4096)
  }

  @Test func `What labels need is that of the first tile that needs it`() throws {
    let examples = (1...3).map { number in
      LabelNeeds.Example(text: "\(number)", layer: "l", isNeededByApple: number == 2)
    }
    let file = LabelNeeds.File(fonts: "f", range: try #require(GlyphRange.all(in: "a").first?.0))
    func needs(_ numbers: [Int]) -> LabelNeeds {
      var needs = LabelNeeds()
      for number in numbers { needs.add(file, examples[number - 1]) }
      return needs
    }
    for (first, later, text) in [
      ([1], [3], "1"), ([1], [2], "2"), ([2], [1], "2"), ([], [3, 1], "3"), ([3], [1, 2], "2"),
    ] {
      var all = needs(first)
      all.add(later: needs(later))
      #expect(all.files[file]?.text == text)
      #expect(all == needs(first + later))
    }
  }
}
