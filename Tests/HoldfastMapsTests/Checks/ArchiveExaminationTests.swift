import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

/// What a check says of PMTiles archives; MapLibre Native drew those with warnings, and no others.
@Suite struct ArchiveExaminationTests {
  private typealias Bytes = VectorTileBytes
  private typealias Case = (TilesetProblem.Kind, TilesetProblem.Severity, SampleArchive)

  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func report(_ sample: SampleArchive, for style: MapStyle? = nil) throws -> TilesetReport {
    let url = folder.file("\(UUID()).pmtiles")
    try sample.write(to: url)
    return try PMTilesArchive(at: url).check(for: style)
  }

  private static let layers = #""vector_layers":[{"id":"places"}]"#

  private static func with(_ change: (inout SampleArchive) -> Void) -> SampleArchive {
    var sample = SampleArchive()
    change(&sample)
    return sample
  }

  private static func json(_ member: String) -> SampleArchive {
    .pyramid("{\(layers),\(member)}")
  }

  @Test func `Archives that are right have no problem`() throws {
    var deep = SampleArchive.pyramid()
    // An ocean: the whole zoom level 12.
    deep.tiles.append(
      (TileCoordinate.firstTileID(ofZoom: 12), 1 << 24, CompressedBytes.gzip(Bytes.tile())))
    deep.tiles += (3..<12).map {
      (TileCoordinate.firstTileID(ofZoom: $0), 1 << UInt32(2 * $0), deep.tiles[0].bytes)
    }
    deep.tiles.sort { $0.first < $1.first }
    deep.header.maximumZoom = 12
    var plain = SampleArchive()
    plain.header.tileCompression = .none
    plain.header.internalCompression = .none
    plain.tiles = [(0, 1, Bytes.tile())]
    var image = SampleArchive()
    image.header.tileType = .png
    image.header.tileCompression = .none
    image.tiles = [(0, 1, CompressedBytes.png(side: 8))]
    image.metadata = "{}"
    for sample in [SampleArchive(), .pyramid(), deep, plain, image] {
      let report = try report(sample)
      #expect(report.problems.map(\.message) == [])
      #expect(report.tileCount == sample.tiles.reduce(0) { $0 + Int($1.count) })
    }
  }

  @Test func `What is wrong with an archive is found`() throws {
    let gzip = CompressedBytes.gzip(Bytes.tile())
    let cases: [Case] = [
      (.otherCompression, .warning, Self.with { $0.tiles[0].bytes = Bytes.tile() }),
      (
        .otherCompression, .warning,
        Self.with { $0.tiles[0].bytes = CompressedBytes.zlib(Bytes.tile()) }
      ),
      (.otherCompression, .error, Self.with { $0.header.tileCompression = .none }),
      (.otherCompression, .error, Self.with { $0.header.tileCompression = .unknown }),
      (.otherCompression, .error, Self.with { $0.header.tileCompression = .zstd }),
      (.brokenCompression, .error, Self.with { $0.tiles[0].bytes = gzip.dropLast(12) }),
      (.nestedCompression, .error, Self.with { $0.tiles[0].bytes = CompressedBytes.gzip(gzip) }),
      (.severalMembers, .error, Self.with { $0.tiles[0].bytes = gzip + gzip }),
      (.wrongFormat, .warning, Self.with { $0.header.tileType = .png }),
      (.wrongCount, .warning, Self.with { $0.statedTileByteCount = UInt64(bitPattern: -16_384) }),
      (.wrongFormat, .error, Self.with { $0.header.tileType = .mlt }),
      (.missingFormat, .warning, Self.with { $0.header.tileType = .unknown }),
      (.invalidMetadata, .error, Self.with { $0.storedMetadata = [0x1F, 0x8B, 1, 2] }),
      (.invalidMetadata, .warning, Self.with { $0.metadata = "[1]" }),
      (.invalidMetadata, .warning, Self.with { $0.metadata = "hello" }),
      (.invalidMetadata, .error, Self.json(#""attribution":5"#)),
      (.missingVectorLayers, .warning, Self.with { $0.metadata = "{}" }),
      (.missingVectorLayers, .warning, Self.with { $0.storedMetadata = [] }),
      (.absentLayer, .warning, .pyramid(#"{"vector_layers":[{"id":"places"},{"id":"b"}]}"#)),
      (.undeclaredLayer, .warning, .pyramid(#"{"vector_layers":[]}"#)),
      (.overridingKey, .error, Self.json(#""tiles":["http://127.0.0.1:9/{z}"]"#)),
      (.overridingKey, .error, Self.json(#""bounds":[1,2,3]"#)),
      (.overridingKey, .warning, Self.json(#""bounds":[-170,-80,170,80]"#)),
      (.overridingKey, .warning, Self.json(#""scheme":"tms""#)),
      (.overridingKey, .error, Self.json(#""maxzoom":300"#)),
      (.overridingKey, .warning, Self.json(#""maxzoom":1"#)),
      (.otherEncoding, .error, Self.json(#""encoding":"mlt""#)),
      (.otherProjection, .warning, Self.json(#""crs":"EPSG:3413""#)),
      (.wrongZoom, .error, Self.json(#""minzoom":5,"maxzoom":6"#)),
      (.wrongZoom, .error, Self.json(#""minzoom":"5","maxzoom":"6""#)),
      (.wrongZoom, .warning, Self.json(#""maxzoom":"x""#)),
      (.wrongZoom, .warning, .pyramid { $0.header.maximumZoom = 5 }),
      (.wrongZoom, .warning, .pyramid { $0.header.maximumZoom = 1 }),
      (.wrongZoom, .error, .pyramid { ($0.header.minimumZoom, $0.header.maximumZoom) = (2, 1) }),
      (
        .missingZoomLevel, .warning,
        .pyramid { $0.tiles = [(0, 1, gzip), (5, 16, gzip)] }
      ),
      (.invalidBounds, .error, .pyramid { $0.header.edges = [200_000_000, -1, -200_000_000, 1] }),
      (.invalidBounds, .error, .pyramid { $0.header.edges = [1, 300_000_000, 2, -300_000_000] }),
      (
        .invalidBounds, .error,
        .pyramid { $0.header.edges = [1_700_000_000, -200_000_000, 1_900_000_000, 200_000_000] }
      ),
      (
        .outsideBounds, .error,
        .pyramid {
          $0.header.edges = [100_000_000, 100_000_000, 110_000_000, 110_000_000]
          $0.tiles = [(5, 1, gzip)]
        }
      ),
      (
        .outsideBounds, .warning,
        .pyramid { $0.header.edges = [100_000_000, 100_000_000, 110_000_000, 110_000_000] }
      ),
      (
        .emptyCenter, .warning,
        .pyramid {
          $0.header.firstView = MapCenter(longitude: 170, latitude: -80, zoom: 2)
          $0.tiles = [(5, 1, gzip)]
          $0.header.minimumZoom = 2
        }
      ),
      (.wrongCount, .warning, .pyramid { $0.header.addressedTileCount = 9 }),
      (.wrongCount, .warning, .pyramid { $0.header.tileContentCount = 9 }),
      (
        .illegalCoordinate, .error,
        Self.with { $0.tiles.append((TileCoordinate.firstTileID(ofZoom: 31), 1, gzip)) }
      ),
      (
        .mixedFormats, .error,
        .pyramid {
          $0.tiles = [(0, 1, gzip), (1, 4, CompressedBytes.gzip(CompressedBytes.png(side: 8)))]
          $0.header.maximumZoom = 1
        }
      ),
    ]
    for (index, (kind, severity, sample)) in cases.enumerated() {
      let report = try report(sample)
      let problem = report.problems.first { $0.kind == kind }
      #expect(problem?.severity == severity, "\(index) \(kind): \(report.problems.map(\.message))")
      #expect(report.isUsable == !report.problems.contains { $0.severity == .error })
    }
  }

  @Test func `An archive that does not lie in the order of its tiles says so`() throws {
    let (one, other) = (
      CompressedBytes.gzip(Bytes.tile()), CompressedBytes.gzip(Bytes.tile(Bytes.layer(version: 1)))
    )
    var sample = SampleArchive.pyramid()
    sample.tiles = [(0, 1, one), (1, 4, other), (5, 16, one)]
    #expect(try report(sample).problems.isEmpty)
    var order = ContentOrder(comparesZoomLevels: false)
    for (offset, isNew) in [(10, true), (0, true), (10, false)] as [(UInt64, Bool)] {
      let entry = PMTilesDirectory.Entry(tileID: 1, runLength: 1, offset: offset, length: 10)
      let novelty = order.add(entry)
      #expect(novelty == (isNew ? .new : .known))
    }
    #expect(!order.isClustered && order.contentCount == 2 && order.entryCount == 3)
  }

  @Test func `The tiles of a run are counted as each alone would be`() throws {
    var random = SeededRandom()
    for _ in 0..<50 {
      let west = Double.random(in: -179..<170, using: &random)
      let south = Double.random(in: -80..<70, using: &random)
      let bounds = try #require(
        RendererBounds([
          west, south, .random(in: west...180, using: &random),
          .random(in: south...85, using: &random),
        ]))
      let center = MapCenter(
        longitude: .random(in: -180...180, using: &random),
        latitude: .random(in: -80...80, using: &random), zoom: .random(in: 1...6, using: &random))
      var (run, single) = (
        TilePlacement(bounds: bounds, center: center), TilePlacement(bounds: bounds, center: center)
      )
      let first = UInt64.random(in: 0..<2000, using: &random)
      let count = UInt64.random(in: 1...3000, using: &random)
      let isPlaced = run.add(tilesFrom: first, count: count)
      #expect(isPlaced)
      for number in first..<first + count {
        single.add(try #require(TileCoordinate(tileID: number)))
      }
      #expect(run.zoomLevels == single.zoomLevels && run.comparedCount == single.comparedCount)
      #expect(run.insideCount == single.insideCount, "\(bounds) \(first) \(count)")
      #expect(run.mirroredInsideCount == single.mirroredInsideCount)
      #expect(run.hasEmptyCenter == single.hasEmptyCenter)
    }
  }

  @Test func `A tile that lies past the end is named, and the others are read`() throws {
    var sample = SampleArchive.pyramid()
    sample.tiles = [(0, 1, sample.tiles[0].bytes), (1, 4, sample.tiles[0].bytes + [0])]
    sample.header.maximumZoom = 1
    var bytes = [UInt8](sample.data)
    // The bytes of the tiles, one less than the last entry needs.
    let length = bytes[64..<72].enumerated().reduce(UInt64(0)) {
      $0 | UInt64($1.1) << UInt64(8 * $1.0)
    }
    for index in 0..<8 {
      bytes[64 + index] = UInt8(truncatingIfNeeded: (length - 2) >> UInt64(8 * index))
    }
    let url = folder.file("short.pmtiles")
    try Data(bytes).write(to: url)
    let report = try PMTilesArchive(at: url).check()
    let problem = try #require(report.problems.first { $0.kind == .damaged })
    #expect(problem.tile?.description == "1/0/0" && report.tileCount == 5)
  }

  @Test func `The layers of a style are compared with those of an archive`() throws {
    let style = try MapStyle(
      template: SampleStyle.template(url: #""pmtiles://file://{{pmtiles_path}}""#))
    let report = try report(SampleArchive(), for: style)
    #expect(report.problems.map(\.kind) == [.unknownSourceLayer])
  }

  @Test func `A check of an archive of entries that repeat long contents ends`() throws {
    var sample = SampleArchive()
    let long = CompressedBytes.gzip([UInt8](repeating: 0x1A, count: 1 << 16))
    sample.tiles = (0..<200).map { (UInt64($0) * 2, 1, long + [UInt8($0)]) }
    sample.header.maximumZoom = 5
    var order = ContentOrder(comparesZoomLevels: false)
    for index in 0..<200 {
      _ = order.add(
        PMTilesDirectory.Entry(
          tileID: UInt64(index), runLength: 1, offset: UInt64(index), length: 1 << 20))
    }
    #expect(order.isRepeating(1 << 20) && !order.isRepeating(200 << 20))
    #expect(try report(sample).problems.contains { $0.kind == .trailingBytes })
  }
}
