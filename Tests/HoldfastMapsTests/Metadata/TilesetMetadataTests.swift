import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct TilesetMetadataTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func open(_ sample: SampleTileset) throws -> Tileset {
    let url = folder.file("\(UUID()).mbtiles")
    try sample.write(to: url)
    return try Tileset(at: url)
  }

  private func metadata(_ entries: [(String, String?)]) throws -> TilesetMetadata {
    try open(SampleTileset(metadata: entries)).metadata
  }

  @Test func `Values are typed, and all rows are kept`() throws {
    let metadata = try metadata([
      ("name", "Fair"), ("description", "A map."), ("attribution", ""), ("version", "2"),
      ("type", "overlay"), ("format", "pbf"), ("minzoom", "4"), ("maxzoom", "14"),
      ("bounds", " -1.5, -2,3 ,4e0"), ("center", "0.5,1,9"), ("own", nil),
    ])
    #expect(metadata.name == "Fair" && metadata.summary == "A map.")
    #expect(metadata.attribution == nil && metadata.version == "2" && metadata.type == "overlay")
    #expect(metadata.format == "pbf" && metadata.minimumZoom == 4 && metadata.maximumZoom == 14)
    #expect(metadata.bounds?.edges == [-1.5, -2, 3, 4])
    #expect(metadata.center == MapCenter(longitude: 0.5, latitude: 1, zoom: 9))
    #expect(metadata["own"] == "" && metadata["absent"] == nil)
    #expect(metadata.entries.count == 11)
  }

  @Test(arguments: [
    "1,2,3", "1,2,3,4,5", "a,2,3,4", "", ",,,", "181,0,182,1", "1,0,0,1", "0,1,1,0", "0,0,nan,1",
    "0,0,inf,1", "0,-91,1,1", "1;2;3;4", "1,2,3,4,",
  ])
  func `Bounds that cannot be read count as absent`(text: String) throws {
    #expect(try metadata([("bounds", text)]).bounds == nil)
  }

  @Test(arguments: ["1,2", "1,2,3,4", "1,2,x", "1,2,3.5", "1,2,31", "1,2,-1", "200,2,3", "1,91,3"])
  func `A center that cannot be read counts as absent`(text: String) throws {
    #expect(try metadata([("center", text)]).center == nil)
  }

  @Test(arguments: ["-1", "31", "4.5", "31.0", "four", " 4", "99999999999999999999", "1e999"])
  func `A zoom level that cannot be read counts as absent`(text: String) throws {
    #expect(try metadata([("minzoom", text)]).minimumZoom == nil)
  }

  @Test func `A zoom level may be written with a fraction of zero`() throws {
    let metadata = try metadata([("minzoom", "4.0"), ("maxzoom", "14")])
    #expect(metadata.minimumZoom == 4 && metadata.maximumZoom == 14)
  }

  @Test func `Vector layers are read, and what is no layer is left out`() throws {
    let json = """
      {"vector_layers":[{"id":"paths","fields":{"name":"String","n":7},"minzoom":2,"maxzoom":9},
      {"fields":{}}, 3, {"id":"tents","description":"Tents."}]}
      """
    #expect(
      try metadata([("json", json)]).vectorLayers == [
        VectorLayer(id: "paths", fields: ["name": "String"], minimumZoom: 2, maximumZoom: 9),
        VectorLayer(id: "tents", summary: "Tents."),
      ])
    for json in ["", "{", "[]", #"{"vector_layers":{}}"#, String(repeating: "[", count: 100_000)] {
      #expect(try metadata([("json", json)]).vectorLayers == [])
    }
  }

  /// Ten bytes of each layer were kilobytes in memory: 16 MiB took 5 GB.
  @Test func `JSON with more values than a map can have is refused when the tileset is opened`()
    throws
  {
    func json(_ count: Int) -> String {
      #"{"vector_layers":["# + String(repeating: #"{"id":""},"#, count: count)
        + #"{"id":"last,[{:"}]}"#
    }
    #expect(try metadata([("json", json(60_000))]).vectorLayers.count == 60_001)
    let error = #expect(throws: MapError.self) { try metadata([("json", json(90_000))]) }
    #expect(error?.code == .invalidTileset && error?.message.contains("layers") == true)
    let long =
      #"{"vector_layers":[{"id":"a","description":""# + String(repeating: "{:,[", count: 90_000)
    #expect(try metadata([("json", long + #""}]}"#)]).vectorLayers.first?.id == "a")
    #expect(
      try metadata([("json", #"{"vector_layers":[{"id":"a","minzoom":2.0,"maxzoom":1e1}]}"#)])
        .vectorLayers == [VectorLayer(id: "a", minimumZoom: 2, maximumZoom: 10)])
  }

  @Test func `A text of nothing but separators is not split into its parts`() throws {
    let commas = String(repeating: ",", count: 1 << 20)
    let metadata = try metadata([("bounds", commas), ("center", commas), ("version", commas)])
    #expect(metadata.bounds == nil && metadata.center == nil)
  }

  @Test func `Of several rows with a name the last one counts`() throws {
    #expect(try metadata([("name", "a"), ("name", "b")]).name == "b")
  }

  // MARK: - Coverage

  @Test func `Coverage is what the metadata says`() throws {
    let coverage = try open(
      SampleTileset(metadata: [
        ("bounds", "1,2,3,4"), ("center", "2,3,1"), ("minzoom", "0"), ("maxzoom", "7"),
      ])
    ).coverage()
    #expect(coverage.bounds?.edges == [1, 2, 3, 4])
    #expect(coverage.center == MapCenter(longitude: 2, latitude: 3, zoom: 1))
    #expect(coverage.zoomLevels == 0...7)
    #expect(coverage.format == .png)
  }

  @Test func `Coverage is computed from the deepest zoom level when the metadata is silent`() throws
  {
    // At zoom level 2, from the south: column 1 to 2, row 2; so north of the equator.
    let tile = SampleTileset.png.databaseValue
    let coverage = try open(
      SampleTileset(metadata: [], tiles: [(0, 0, 0, tile), (2, 1, 2, tile), (2, 2, 2, tile)])
    ).coverage()
    let bounds = try #require(coverage.bounds)
    #expect(bounds.west == -90 && bounds.east == 90 && bounds.south == 0)
    #expect(abs(bounds.north - 66.51326044311186) < 1e-9)
    #expect(coverage.zoomLevels == 0...2)
    #expect(coverage.center?.longitude == 0 && coverage.center?.zoom == 1)
  }

  @Test func `An empty tileset covers nothing`() throws {
    let coverage = try open(SampleTileset(metadata: [], tiles: [])).coverage()
    #expect(coverage.bounds == nil && coverage.center == nil && coverage.zoomLevels == nil)
    #expect(coverage.format == nil && coverage.compression == .none)
  }

  @Test func `Tiles where none can be do not widen the coverage`() throws {
    let tile = SampleTileset.png.databaseValue
    let coverage = try open(
      SampleTileset(
        metadata: [],
        tiles: [(1, 0, 0, tile), (1, 900, 0, tile), (77, 0, 0, tile), (-3, 0, 0, tile)])
    ).coverage()
    #expect(coverage.zoomLevels == 1...1)
    #expect(coverage.bounds?.east == 0)
  }

  // MARK: - TileJSON

  @Test func `A description in TileJSON has the required keys and the same bytes each time`() throws
  {
    let tileset = try open(
      SampleTileset(
        metadata: [
          ("name", "Fair / night"), ("version", "2"), ("format", "pbf"), ("bounds", "1,2,3,4.5"),
          ("json", #"{"vector_layers":[{"id":"a","fields":{"n":"Number"}}]}"#),
        ], tiles: [(3, 4, 4, SampleTileset.vector.databaseValue)]))
    let json = try tileset.tileJSON(tiles: ["https://x/{z}/{x}/{y}.pbf"])
    #expect(
      try String(decoding: json.data, as: UTF8.self) == """
        {"bounds":[1,2,3,4.5],"center":[2,3.25,3],"maxzoom":3,"minzoom":3,"name":"Fair / night",\
        "scheme":"xyz","tilejson":"3.0.0","tiles":["https://x/{z}/{x}/{y}.pbf"],\
        "vector_layers":[{"fields":{"n":"Number"},"id":"a"}],"version":"2.0.0"}
        """)
    #expect(try JSONDecoder().decode(TileJSON.self, from: json.data) == json)
  }

  @Test func `Images have no vector layers, and a version of another kind is left out`() throws {
    let json = try open(SampleTileset(metadata: [("version", "summer"), ("json", "{}")]))
      .tileJSON(tiles: [])
    #expect(json.vectorLayers == nil && json.version == nil)
  }

  @Test func `Vector tiles without a list of layers have an empty one`() throws {
    let tiles: [(Int, Int, Int, DatabaseValue)] = [(0, 0, 0, SampleTileset.vector.databaseValue)]
    #expect(
      try open(SampleTileset(metadata: [], tiles: tiles)).tileJSON(tiles: []).vectorLayers == [])
  }
}
