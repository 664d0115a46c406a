import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastMaps

@Suite struct FollowedArchiveTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ name: String, _ byte: UInt8) throws -> URL {
    var sample = SampleArchive()
    sample.tiles = [(0, 1, [byte])]
    sample.metadata = #"{"name":"\#(name)"}"#
    let url = folder.file(name)
    try sample.write(to: url)
    return url
  }

  private func byte(_ tiles: any TileSource) throws -> UInt8? {
    try tiles.tile(at: TileCoordinate(z: 0, x: 0, y: 0))?.data.last
  }

  @Test func `The next tile comes from the generation that is current`() async throws {
    let source = SwitchedSource(try write("1.pmtiles", 1))
    let tiles = try await TileSources.open(following: source)
    #expect(tiles is PMTilesArchive)
    #expect(try byte(tiles) == 1 && tiles.metadata.name == "1.pmtiles")
    source.point(to: try write("2.pmtiles", 2), isAnnounced: false)
    #expect(try byte(tiles) == 2 && tiles.metadata.name == "2.pmtiles")
    source.point(to: try write("3.pmtiles", 3), isAnnounced: false)
    #expect(try await tiles.tileJSON(tiles: []).name == "3.pmtiles")
    #expect(try await tiles.check(for: nil).tileCount == 1)
    #expect(try await tiles.coverage().zoomLevels == 0...0)
    #expect(tiles.followingProblem == nil)
  }

  /// A source that tells when a file of it is given up.
  private struct LeasedSource: DatabaseSource {
    /// What keeps a file.
    final class Lease: Sendable {
      private let end: AsyncStream<Void>.Continuation

      init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

      deinit { end.yield() }
    }

    var source: SwitchedSource
    var end: AsyncStream<Void>.Continuation

    func currentDatabase() throws -> SourcedDatabase {
      let current = try source.currentDatabase()
      return SourcedDatabase(
        url: current.url, generation: current.generation, isNeverModified: true,
        keeping: Lease(end))
    }

    func switches() -> AsyncStream<Void> { source.switches() }
  }

  @Test(.timeLimit(.minutes(5)))
  func `A switch that is announced gives the old file up without an access`() async throws {
    let source = SwitchedSource(try write("1.pmtiles", 1))
    let (ends, end) = AsyncStream<Void>.makeStream()
    let archive = try await PMTilesArchive(following: LeasedSource(source: source, end: end))
    source.point(to: try write("2.pmtiles", 2))
    var waiting = ends.makeAsyncIterator()
    _ = await waiting.next()
    #expect(archive.metadata.name == "2.pmtiles")
  }

  @Test func `A file that is no archive leaves the previous one in use`() async throws {
    let source = SwitchedSource(try write("1.pmtiles", 1))
    let archive = try await PMTilesArchive(following: source)
    let other = folder.file("other.pmtiles")
    try SampleTileset().write(to: other)
    source.point(to: other, isAnnounced: false)
    #expect(try byte(archive) == 1)
    #expect((archive.followingProblem as? MapError)?.code == .invalidTileset)
    source.point(to: try write("3.pmtiles", 3), isAnnounced: false)
    #expect(try byte(archive) == 3 && archive.followingProblem == nil)
  }

  @Test func `A tileset of either format is opened by its content`() throws {
    let archive = try write("a.mbtiles", 1)
    #expect(try TileSources.open(archive) is PMTilesArchive)
    let tileset = folder.file("b.pmtiles")
    try SampleTileset().write(to: tileset)
    #expect(try TileSources.open(tileset) is Tileset)
    let error = #expect(throws: MapError.self) {
      try TileSources.open(folder.file("absent.pmtiles"))
    }
    #expect(error?.code == .notFound)
  }
}
