import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// IB-12: what is rendered and checked here is what MapLibre can use, by a reader written from its
/// contract.
@Suite struct MapLibreContractTests {
  private let container: TemporaryDirectory

  init() throws { container = try TemporaryDirectory() }

  private func prepare(
    _ sample: SampleTileset, in folder: String, template: Data = SampleStyle.template()
  ) throws -> String {
    let folder = container.url.appending(path: folder, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tileset = folder.appending(path: "map.mbtiles")
    try sample.write(to: tileset)
    try template.write(to: container.file("template.json"))
    let style = try MapStyles(
      templates: [.light: container.file("template.json")], tileset: tileset, assets: .bundle,
      folder: folder
    ).prepare(.light)
    return try #require(try MapLibreReader.sources(of: Data(contentsOf: style.url))["fair"])
  }

  @Test(arguments: [
    "Application Support/iBurn/2025/Map", "100% #1", "a%41b", "ü 😀", "quote\" and \\",
    "{z}/{x}/{y}", "a&b=c;d+e",
  ])
  func `IB-12: Every tile of a style's source is found through its URL`(folder: String) throws {
    let url = try prepare(SampleTileset(), in: folder)
    let reader = MapLibreReader()
    let description = try reader.tileJSON(of: url)
    #expect(description["minzoom"] as? Int == 0 && description["maxzoom"] as? Int == 1)
    let address = try #require((description["tiles"] as? [String])?.first)
    #expect(try reader.tile(address, z: 0, x: 0, y: 0) == SampleTileset.png)
    #expect(try reader.tile(address, z: 1, x: 1, y: 0) == SampleTileset.png + [5])
    #expect(try reader.tile(address, z: 1, x: 0, y: 0) == nil)
    // Found by one path, which MapLibre keeps open for the life of the process.
    #expect(reader.openedPaths.count == 1)
  }

  @Test(arguments: ["100% #1", "a%41b", "{z}/{x}/{y}"])
  func `IB-12: Text substitution would have opened another file or none`(folder: String) throws {
    _ = try prepare(SampleTileset(), in: folder)
    let path = container.url.appending(path: folder + "/map.mbtiles").path(percentEncoded: false)
    let reader = MapLibreReader()
    #expect(throws: MapLibreReader.Failure.self) {
      let description = try reader.tileJSON(of: "mbtiles://" + path)
      let address = try #require((description["tiles"] as? [String])?.first)
      return try reader.tile(address, z: 0, x: 0, y: 0)
    }
  }

  @Test func `IB-12: A path with a question mark would end the app, and is refused before`() throws
  {
    #expect(throws: MapError.self) { try prepare(SampleTileset(), in: "a?b") }
    // The description is found, and the tiles are looked for in another file.
    let reader = MapLibreReader()
    let folder = container.url.appending(path: "a%3Fb").path(percentEncoded: true)
    let address = try #require(
      try reader.tileJSON(of: "mbtiles://\(folder)/map.mbtiles".replacing("%25", with: "%"))[
        "tiles"] as? [String])
    #expect(throws: MapLibreReader.Failure.self) {
      try reader.tile(address[0], z: 0, x: 0, y: 0)
    }
  }

  @Test func `IB-12: A relative path is an error of MapLibre, and is refused before`() throws {
    let failure = MapLibreReader.Failure.error("MBTilesFileSource only supports absolute path urls")
    #expect(throws: failure) { try MapLibreReader().tileJSON(of: "mbtiles://map.mbtiles") }
    let template = SampleStyle.template(url: #""mbtiles://map.mbtiles""#)
    let error = #expect(throws: MapError.self) {
      try prepare(SampleTileset(), in: "a", template: template)
    }
    #expect(error?.code == .unusablePath)
  }

  /// What ends the process in MapLibre is an error in the report of the check.
  @Test(arguments: [
    SampleTileset(sql: "UPDATE metadata SET value = 'four' WHERE name = 'minzoom'"),
    SampleTileset(metadata: [("name", "a")], tiles: []),
    SampleTileset(sql: "UPDATE metadata SET value = '1,2,3' WHERE name = 'bounds'"),
    SampleTileset(
      metadata: [("name", "a"), ("scale", "large")], sql: "ALTER TABLE tiles RENAME TO t"),
  ])
  func `IB-12: A tileset that MapLibre cannot use is no usable tileset`(
    sample: SampleTileset
  ) throws {
    let url = container.file("map.mbtiles")
    try sample.write(to: url)
    let address = "mbtiles://" + url.path(percentEncoded: true)
    #expect(throws: MapLibreReader.Failure.self) {
      let reader = MapLibreReader()
      let description = try reader.tileJSON(of: address)
      return try reader.tile((description["tiles"] as? [String])?.first ?? "", z: 0, x: 0, y: 0)
    }
    do {
      #expect(try !Tileset(at: url).check().isUsable)
    } catch let error as MapError {
      #expect(error.code == .invalidTileset)
    }
  }

  @Test(.enabled(if: SharedMaps.arePresent, SharedMaps.absence), arguments: [2022, 2024, 2025])
  func `IB-12: The festival's own map and styles work with MapLibre`(year: Int) throws {
    let tileset = container.file("map.mbtiles")
    try FileManager.default.copyItem(at: SharedMaps.tileset("iburn-\(year).mbtiles"), to: tileset)
    for appearance in MapAppearance.allCases {
      let style = try MapStyles(
        templates: [appearance: SharedMaps.style("iburn-\(year)-\(appearance.rawValue).json")],
        tileset: tileset, assets: .bundle, folder: container.url
      ).prepare(appearance)
      let sources = try MapLibreReader.sources(of: Data(contentsOf: style.url))
      let url = try #require(sources["composite"])
      let reader = MapLibreReader()
      let address = try #require((try reader.tileJSON(of: url)["tiles"] as? [String])?.first)
      let source = try Tileset(at: tileset)
      let places = try source.reader.read { db in
        try Row.fetchAll(db, sql: "SELECT zoom_level, tile_column, tile_row FROM tiles").map {
          (
            z: try $0.decode(Int.self, atIndex: 0), x: try $0.decode(Int.self, atIndex: 1),
            row: try $0.decode(Int.self, atIndex: 2)
          )
        }
      }
      #expect(places.count > 10)
      for place in places {
        let y = (1 << place.z) - 1 - place.row
        let data = try reader.tile(address, z: place.z, x: place.x, y: y)
        #expect(data != nil)
        #expect(try source.tile(at: TileCoordinate(z: place.z, x: place.x, y: y))?.data == data)
      }
    }
  }
}
