import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// What MapLibre Native draws of packs while they are upgraded, rolled back, switched, cleaned and moved.
@Suite(.enabled(if: MapEngine.isInstalled, "\(MapEngine.absence)"), .timeLimit(.minutes(5)))
struct PackEngineTests {
  private typealias Bytes = VectorTileBytes

  private let directory: TemporaryDirectory
  private let pack: PackName

  init() throws {
    directory = try TemporaryDirectory()
    pack = try PackName("map")
  }

  private func store(in container: String) throws -> PackStore {
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: directory.file(container))
    return PackStore(try PackName("store"), configuration: configuration)
  }

  /// Builds a pack of a map in one color, in a format.
  private func build(_ version: String, _ color: String, _ ending: String) throws -> PackSource {
    let source = directory.file("source-\(ending)-\(version)")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    let layer = Bytes.layer(
      features: [Bytes.feature(tags: [0, 0])], keys: ["color"],
      values: [Bytes.bytes(1, Array(color.utf8))])
    let tile = CompressedBytes.gzip(Bytes.tile(layer))
    var sample = SampleTileset.ofVectorTile(
      tile, ["bounds": "-180,-85,180,85", "maxzoom": "3"])
    sample.tiles = (0...3).flatMap { z in
      (0..<(1 << z)).flatMap { x in
        (0..<(1 << z)).map { y in (z, x, y, Data(tile).databaseValue) }
      }
    }
    let tileset = source.appending(path: "map.\(ending)")
    if ending == "pmtiles" {
      let file = directory.file("\(version).mbtiles")
      try sample.write(to: file)
      _ = try TilesetConversion(from: file, to: tileset).run()
    } else {
      try sample.write(to: tileset)
    }
    let url =
      ending == "pmtiles" ? "pmtiles://file://{{pmtiles_path}}" : "mbtiles://{{mbtiles_path}}"
    try Data(
      """
      {"version": 8, "sources": {"s": {"type": "vector", "url": "\(url)"}},
      "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "a", "type": "fill", "source": "s", "source-layer": "places",
        "paint": {"fill-antialias": false, "fill-color": ["get", "color"]}}]}
      """.utf8
    ).write(to: source.appending(path: "style-light.json"))
    let description = PackDescription(name: pack, version: try PackVersion(version))
    let folder = directory.file("pack-\(ending)-\(version)")
    let report = try PackBuilder(description, checks: PackBuilder.mapChecks)
      .build(filesIn: source, to: folder)
    #expect(report.manifest.file(at: "map.\(ending)")?.kind.rawValue == ending)
    return .bundle(folder)
  }

  private func style(_ store: PackStore) async throws -> URL {
    try #require(try await store.mapStyles(of: pack)?.prepare(.light)).url
  }

  @Test(arguments: ["mbtiles", "pmtiles"])
  func `A map that stays open keeps its generation, and a new one shows the current one`(
    ending: String
  ) async throws {
    let session = try MapEngineSession()
    let store = try store(in: "container-\(ending)")
    _ = try await store.install(pack, from: build("1", "#ff0000", ending))
    let first = try await session.picture(of: "first", style(store))
    #expect(first.red > 0.9, "\(first)")

    // Upgraded under the map, which then needs tiles that it has not read yet.
    _ = try await store.install(pack, from: build("2", "#0000ff", ending))
    #expect(try session.picture(of: "first", zoom: 1).red > 0.9)
    let second = try await session.picture(of: "second", style(store), zoom: 1)
    #expect(second.blue > 0.9, "\(second)")

    // Rolled back under the second map.
    _ = try await store.rollback(pack)
    #expect(try session.picture(of: "second", zoom: 2).blue > 0.9)
    #expect(try await session.picture(of: "third", style(store)).red > 0.9)

    // Switched, and cleaned: nothing that a map shows is removed.
    let newer = try #require(
      try store.installedGenerations(of: pack).first { $0.manifest.version.description == "2" })
    _ = try await store.switchTo(newer.name, of: pack)
    for version in ["3", "4", "5"] {
      _ = try await store.install(pack, from: build(version, "#0000ff", ending))
    }
    _ = await store.clean(pack)
    #expect(try session.picture(of: "first", zoom: 3).red > 0.9)
    #expect(try session.picture(of: "second", zoom: 3).blue > 0.9)
    #expect(try await session.picture(of: "fourth", style(store), zoom: 3).blue > 0.9)
  }

  @Test(arguments: ["mbtiles", "pmtiles"])
  func `After the container moved, the style leads to the moved tiles`(
    ending: String
  ) async throws {
    let session = try MapEngineSession()
    let old = try store(in: "a b%20{z}#ü")
    _ = try await old.install(pack, from: build("1", "#ff0000", ending))
    let document = try await style(old)
    #expect(try session.picture(of: "before", document).red > 0.9)
    try FileManager.default.moveItem(
      at: directory.file("a b%20{z}#ü"), to: directory.file("moved"))
    let moved = try store(in: "moved")
    #expect(try await session.picture(of: "after", style(moved)).red > 0.9)
  }

  @Test func `A label whose range of glyphs is absent is refused, and drawn with it`() async throws
  {
    let source = directory.file("labels")
    try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
    let layer = Bytes.layer(
      features: [Bytes.feature(tags: [0, 0], type: 1, geometry: [9, 4096, 4096])],
      keys: ["name"], values: [Bytes.bytes(1, Array("Σκηνή".utf8))])
    try SampleTileset.ofVectorTile(
      CompressedBytes.gzip(Bytes.tile(layer)), ["bounds": "-180,-85,180,85"]
    ).write(to: source.appending(path: "map.mbtiles"))
    try Data(
      """
      {"version": 8, "glyphs": "asset://Map/glyphs/{fontstack}/{range}.pbf",
      "sources": {"s": {"type": "vector", "url": "mbtiles://{{mbtiles_path}}"}},
      "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#ffffff"}},
        {"id": "names", "type": "symbol", "source": "s", "source-layer": "places",
        "layout": {"text-field": ["get", "name"], "text-font": ["Sans"]},
        "paint": {"text-color": "#ff0000"}}]}
      """.utf8
    ).write(to: source.appending(path: "style-light.json"))
    let glyphs = source.appending(path: "glyphs")
    try SampleGlyphs.write(0, "Sans", to: glyphs)

    func build(_ version: String, _ check: PackBuilder.PackCheck?) throws -> PackSource {
      let description = PackDescription(name: pack, version: try PackVersion(version))
      let folder = directory.file("labels-\(version)")
      _ = try PackBuilder(description, packCheck: check).build(filesIn: source, to: folder)
      return .bundle(folder)
    }
    let error = #expect(throws: PackError.self) { try build("0", PackBuilder.mapPackCheck) }
    #expect(error?.message.contains("glyphs/Sans/768-1023.pbf") == true)

    let session = try MapEngineSession()
    let store = try store(in: "container")
    // Built without the check, the engine refuses it.
    _ = try await store.install(pack, from: build("1", nil))
    let refused = try await session.picture(of: "without", style(store), longitude: 0, latitude: 0)
    #expect(refused.refusal != nil, "\(refused)")

    try SampleGlyphs.write(768, "Sans", to: glyphs)
    _ = try await store.install(pack, from: build("2", PackBuilder.mapPackCheck))
    let drawn = try await session.picture(of: "with", style(store), longitude: 0, latitude: 0)
    #expect(drawn.red > 0.05 && drawn.refusal == nil, "\(drawn)")
  }
}
