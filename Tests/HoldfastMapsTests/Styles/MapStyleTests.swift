import Foundation
import HoldfastFiles
import HoldfastMaps
import HoldfastTestSupport
import Testing

@Suite struct MapStyleTests {
  private let tileset = URL(filePath: "/data/fair/map.mbtiles")

  private func rendered(
    _ template: Data, _ values: [String: MapStyle.Value]? = nil,
    assets: MapStyle.Assets = .bundle
  ) throws -> String {
    let values = values ?? ["mbtiles_path": .file(tileset)]
    return try String(
      decoding: MapStyle(template: template).rendered(values, assets: assets), as: UTF8.self)
  }

  private func refusal(
    _ template: Data, _ values: [String: MapStyle.Value]? = nil,
    assets: MapStyle.Assets = .bundle
  ) throws -> MapError {
    try #require(throws: MapError.self) { try rendered(template, values, assets: assets) }
  }

  // MARK: - Placeholders

  @Test func `Only the placeholder's bytes change`() throws {
    let template = String(decoding: SampleStyle.template(), as: UTF8.self)
    #expect(
      try rendered(SampleStyle.template())
        == template.replacing("{{mbtiles_path}}", with: "/data/fair/map.mbtiles"))
  }

  @Test(.enabled(if: SharedMaps.arePresent, SharedMaps.absence), arguments: [2022, 2024, 2025])
  func
    `IB-7: The festival's own templates get the path of the cached map, and nothing else changes`(
      year: Int
    ) throws
  {
    for appearance in MapAppearance.allCases {
      let template = try Data(
        contentsOf: SharedMaps.style("iburn-\(year)-\(appearance.rawValue).json"))
      let path = "/var/mobile/Library/Application Support/iBurn/\(year)/Map/map.mbtiles"
      let document = try rendered(template, ["mbtiles_path": .file(URL(filePath: path))])
      #expect(
        document
          == String(decoding: template, as: UTF8.self).replacing(
            "{{mbtiles_path}}", with: path.replacing(" ", with: "%20")))
      #expect(try MapStyle(template: template).placeholderNames == ["mbtiles_path"])
    }
  }

  /// IB-B8: escaped for a URL, and for JSON.
  @Test(arguments: [
    "/a b.mbtiles", "/%41.mbtiles", "/a#b.mbtiles", "/a\"b\\c.mbtiles", "/a\nb\t.mbtiles",
    "/ü/u\u{308}.mbtiles", "/{x}/{{mbtiles_path}}.mbtiles", "/a&b=c+d;e.mbtiles", "/😀.mbtiles",
    "/a%2Fb.mbtiles", "/\u{1}\u{7F}.mbtiles",
  ])
  func `IB-B8: A path with any characters reaches the renderer unchanged`(path: String) throws {
    let document = try rendered(
      SampleStyle.template(), ["mbtiles_path": .file(URL(filePath: path))])
    let url = try #require(try MapLibreReader.sources(of: Data(document.utf8))["fair"])
    #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") })
    let decoded = try #require(url.dropFirst("mbtiles://".count).removingPercentEncoding)
    #expect(Array(decoded.utf8) == Array(path.utf8))
  }

  @Test(arguments: ["/a b.pmtiles", "/%41.pmtiles", "/a?b/c.pmtiles", "/{x}/ü.pmtiles"])
  func `The path of an archive is escaped once, as its URL is decoded`(path: String) throws {
    let document = try rendered(
      SampleStyle.template(url: #""pmtiles://file://{{pmtiles_path}}""#),
      ["pmtiles_path": .file(URL(filePath: path))])
    let url = try #require(try MapLibreReader.sources(of: Data(document.utf8))["fair"])
    #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "{") })
    let decoded = try #require(url.dropFirst("pmtiles://file://".count).removingPercentEncoding)
    #expect(Array(decoded.utf8) == Array(path.utf8))
  }

  @Test func `A tileset of the other format, another file and a relative path are refused`() throws
  {
    let archive = SampleStyle.template(url: #""pmtiles://file://{{mbtiles_path}}""#)
    let other = try refusal(archive)
    #expect(
      other.code == .wrongSource
        && other.advice == "Write 'mbtiles://{{mbtiles_path}}' into the template.")
    let tiles = try refusal(
      SampleStyle.template(), ["mbtiles_path": .file(URL(filePath: "/map.pmtiles"))])
    #expect(
      tiles.code == .wrongSource
        && tiles.advice == "Write 'pmtiles://file://{{pmtiles_path}}' into the template.")
    let elsewhere = try refusal(SampleStyle.template(url: #""pmtiles://file:///b.pmtiles""#))
    #expect(elsewhere.code == .wrongSource)
    let relative = try refusal(SampleStyle.template(url: #""pmtiles://file://b.pmtiles""#))
    #expect(relative.code == .unusablePath && relative.message.contains("pmtiles://file://"))
    // A server's archive is not looked at.
    let remote = #""pmtiles://https://example.org/b.pmtiles""#
    #expect(try rendered(SampleStyle.template(url: remote)).contains(remote))
  }

  @Test func `An archive that lies beside the style is found in the folder of the assets`() throws {
    let folder = try TemporaryDirectory()
    try Data("x".utf8).write(to: folder.file("map.pmtiles"))
    let document = try rendered(
      SampleStyle.template(url: #""pmtiles://asset://Map/map.pmtiles""#), [:],
      assets: .folder(folder.url))
    let path = folder.file("map.pmtiles").path(percentEncoded: true)
    #expect(document.contains("\"pmtiles://file://\(path)\""), "\(document)")
  }

  @Test func `IB-B8: A path with a question mark is refused, because MapLibre cuts it off there`()
    throws
  {
    let url = URL(filePath: "/a?b/map.mbtiles")
    let error = try refusal(SampleStyle.template(), ["mbtiles_path": .file(url)])
    #expect(error.code == .unusablePath && error.path == "/a?b/map.mbtiles")
  }

  /// The renderer's sources are checked by their decoded text, any other string by its placeholder.
  @Test func `IB-B8: A question mark is refused in any string that is a tileset's URL`() throws {
    let url = URL(filePath: "/a?b.mbtiles")
    let other = try refusal(
      SampleStyle.template(
        url: #""mbtiles:///data/fair/map.mbtiles""#,
        extra: #""metadata": {"map": "mbtiles://{{mbtiles_path}}"},"#),
      ["mbtiles_path": .file(url), "map": .file(tileset)])
    let literal = try refusal(
      SampleStyle.template(url: #""mbtiles:///a%3Fb.mbtiles""#), ["mbtiles_path": .file(url)])
    for error in [other, literal] {
      #expect(error.code == .unusablePath && error.path == "/a?b.mbtiles")
    }
  }

  @Test func `Outside of a URL a value is escaped for JSON only`() throws {
    let document = try rendered(
      SampleStyle.template(extra: #""metadata": {"title": "A {{ title }} of {{mbtiles_path}}"},"#),
      ["mbtiles_path": .file(tileset), "title": .text("\"M\\p\"\n{{x}} 100%")])
    let style = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
    let metadata = try #require(style?["metadata"] as? [String: String])
    #expect(metadata["title"] == "A \"M\\p\"\n{{x}} 100% of /data/fair/map.mbtiles")
  }

  @Test func `A text inside of a URL cannot change its parts`() throws {
    let document = try rendered(
      SampleStyle.template(extra: #""sprite": "https://example.org/{{user}}/sprite","#),
      ["mbtiles_path": .file(tileset), "user": .text("../a/b?c#d \"")])
    #expect(document.contains(#""https://example.org/..%2Fa%2Fb%3Fc%23d%20%22/sprite""#))
  }

  @Test func `A placeholder that is spelled with escapes is replaced, and other escapes stay`()
    throws
  {
    let document = try rendered(
      SampleStyle.template(url: #""mbtiles:\/\/\u007B\u007Bmbtiles_path}\u007d""#))
    #expect(document.contains(#""mbtiles:\/\/\/data\/"#) == false)
    #expect(document.contains(#""url": "mbtiles:\/\//data/fair/map.mbtiles"}"#))
  }

  @Test func `IB-B8: A placeholder without a value is an error with its name, place and line`()
    throws
  {
    let error = try refusal(SampleStyle.template(extra: #""sprite": "asset://{{sprites}}","#))
    #expect(error.code == .unresolvedPlaceholder && error.line == 6)
    #expect(error.message.contains("{{sprites}}") && error.message.contains("'sprite'"))
    #expect(
      try refusal(SampleStyle.template(url: #""mbtiles://{{mbtiles_pat}}""#)).code
        == .unresolvedPlaceholder)
    #expect(try refusal(SampleStyle.template(), [:]).message.contains("sources.fair.url"))
  }

  @Test(arguments: [
    #""metadata": {"a": "{{open"},"#, #""metadata": {"{{mbtiles_path}}": 1},"#,
    #""metadata": ["{{mbtiles_path}"],"#,
  ])
  func `A placeholder that does not end, or in a key, is refused`(extra: String) throws {
    #expect(try refusal(SampleStyle.template(extra: extra)).code == .unresolvedPlaceholder)
  }

  @Test func `Tokens of the renderer are no placeholders`() throws {
    let extra = #""metadata": {"text-field": "{name} } { {n} }}"},"#
    #expect(try rendered(SampleStyle.template(extra: extra)).contains(extra))
  }

  @Test func `A value is not searched for placeholders again`() throws {
    let document = try rendered(
      SampleStyle.template(extra: #""metadata": "{{a}}","#),
      ["mbtiles_path": .file(tileset), "a": .text("{{mbtiles_path}}")])
    #expect(document.contains(#""metadata": "{{mbtiles_path}}","#))
  }

  @Test func `Each of several placeholders is replaced where it is written, between escapes`()
    throws
  {
    let extra =
      #""metadata": ["\u00e9\ud83d\ude00\n{{a}}\"é😀{{ b }}\\", "{{a}}{{b}}", "\u007b{a}}\/"],"#
    let document = try rendered(
      SampleStyle.template(extra: extra),
      ["mbtiles_path": .file(tileset), "a": .text("1"), "b": .text("2")])
    #expect(
      document.contains(
        #""metadata": ["\u00e9\ud83d\ude00\n1\"é😀2\\", "12", "1\/"],"#))
  }

  // MARK: - The document

  @Test(arguments: [
    ("", "not JSON"), ("{", "line 1"), ("[]", "no JSON object"), ("{}", "version"),
    (#"{"version": 7, "sources": {}, "layers": []}"#, "version"),
    (#"{"version": "8", "sources": {}, "layers": []}"#, "version"),
    (#"{"version": 8, "layers": []}"#, "sources"), (#"{"version": 8, "sources": {}}"#, "layers"),
    (#"{"version": 8, "sources": [], "layers": []}"#, "sources"),
    (#"{"version": 8, "sources": {"a": {}, "a": {}}, "layers": []}"#, "'sources.a' occurs twice"),
    (
      #"{"version": 8, "sources": {}, "layers": [{"id": "p", "source": "gone"}]}"#,
      "the source 'gone'"
    ),
    ("{\"version\": 8,\n \"zoom\": {{zoom}},\n \"sources\": {}, \"layers\": []}", "line 2"),
  ])
  func `What is no style is refused with its reason`(text: String, reason: String) throws {
    let error = try refusal(Data(text.utf8))
    #expect(error.code == .invalidStyle)
    #expect(error.message.contains(reason), "\(error.message)")
  }

  /// With a line number for each key it takes minutes, and otherwise a second.
  @Test(.timeLimit(.minutes(1)))
  func `A style of many keys is read in one pass`() throws {
    let keys = (0..<8_000).map { "\"k\($0)\": \"{{mbtiles_path}}\"" }.joined(separator: ",")
    let space = String(repeating: "\n", count: 1_000_000)
    let template = SampleStyle.template(extra: "\(space) \"metadata\": {\(keys)},")
    let style = try MapStyle(template: template)
    #expect(style.placeholderNames == ["mbtiles_path"])
    let error = #expect(throws: MapError.self) {
      try MapStyle(
        template: SampleStyle.template(extra: "\(space) \"metadata\": {\"a\": 1, \"a\": 2},"))
    }
    #expect((error?.line ?? 0) > 1_000_000)
  }

  // MARK: - Sources

  @Test(arguments: [
    #""mbtiles:///data/fair/other.mbtiles""#, #""mbtiles:///data/fair/MAP.mbtiles""#,
    #""mbtiles:////data/fair/map.mbtiles""#, #""mbtiles:///data/fair/../fair/map.mbtiles""#,
    #""mbtiles://{{mbtiles_path}}.old""#,
  ])
  func `IB-B9: A source that is not the tileset is refused by name`(url: String) throws {
    let error = try refusal(SampleStyle.template(url: url))
    #expect(error.code == .wrongSource && error.message.contains("sources.fair.url"))
  }

  @Test(arguments: [#""mbtiles://map.mbtiles""#, #""mbtiles://""#, #""mbtiles:///%zz""#])
  func `A source that is not an absolute path is refused`(url: String) throws {
    #expect(try refusal(SampleStyle.template(url: url)).code == .unusablePath)
  }

  @Test func `Sources of other kinds stay as they are`() throws {
    for url in [#""https://example.org/fair.json""#, #""mapbox://fair""#] {
      #expect(try rendered(SampleStyle.template(url: url)).contains(url))
    }
  }

  // MARK: - Assets

  private let assetExtra = """
    "sprite": "asset://Map/sprites", "glyphs": "asset://Map/glyphs/{fontstack}/{range}.pbf",
    """

  private func folder(_ names: [String]) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for name in names {
      let url = folder.url.appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
    return folder
  }

  @Test(arguments: ["Map/", ""])
  func `Sprites and glyphs are pointed into the generation, wherever it has them`(
    prefix: String
  ) throws {
    let folder = try folder(
      ["sprites.json", "sprites.png", "glyphs/Open Sans/0-255.pbf"].map { prefix + $0 })
    let document = try rendered(
      SampleStyle.template(extra: assetExtra), assets: .folder(folder.url))
    let base = "file://" + folder.url.path(percentEncoded: true).trimmingSuffix("/")
    #expect(document.contains(#""sprite": "\#(base)/\#(prefix)sprites""#))
    #expect(
      document.contains(#""glyphs": "\#(base)/\#(prefix)glyphs/{fontstack}/{range}.pbf""#))
  }

  @Test func `The folder's own path is escaped, and the tokens of the glyphs are not`() throws {
    let folder = try folder(["a {x}%/sprites.json", "a {x}%/sprites.png", "a {x}%/glyphs/f"])
    let document = try rendered(
      SampleStyle.template(extra: assetExtra),
      assets: .folder(folder.url.appending(path: "a {x}%")))
    #expect(document.contains("/a%20%7Bx%7D%25/sprites\""))
    #expect(document.contains("/a%20%7Bx%7D%25/glyphs/{fontstack}/{range}.pbf\""))
  }

  @Test(arguments: [
    (["glyphs/a"], "sprite"), (["sprites.json", "glyphs/a"], "sprite"),
    (["sprites.json", "sprites.png"], "glyphs"),
    (["sprites.json", "sprites.png", "glyphs"], "glyphs"),
  ])
  func `An asset that the generation has not is refused by name`(
    names: [String], place: String
  ) throws {
    let folder = try folder(names)
    let error = try refusal(SampleStyle.template(extra: assetExtra), assets: .folder(folder.url))
    #expect(error.code == .missingAsset && error.message.contains("'\(place)'"))
    #expect(error.message.contains("asset://Map/"))
  }

  @Test(arguments: ["asset://../secret", "asset://Map/%2E%2E/%2e%2e/secret", "asset://a%2Fb"])
  func `An asset cannot lead out of the generation`(url: String) throws {
    let folder = try folder(["in/side", "secret.json", "secret.png", "b.json", "b.png"])
    let error = try refusal(
      SampleStyle.template(extra: #""sprite": "\#(url)","#),
      assets: .folder(folder.url.appending(path: "in")))
    #expect(error.code == .missingAsset)
  }

  @Test func `Several sprites, and data of sources, are assets too`() throws {
    let folder = try folder(["a.json", "a.png", "b.json", "b.png", "camps.geojson"])
    let template = Data(
      """
      {"version": 8, "layers": [], "sprite": [{"id": "a", "url": "asset://a"},
      {"id": "b", "url": "asset://b"}], "sources": {"camps": {"type": "geojson",
      "data": "asset://camps.geojson"}}}
      """.utf8)
    let document = try rendered(template, assets: .folder(folder.url))
    #expect(!document.contains("asset://"))
    #expect(document.contains("/camps.geojson\""))
    try FileManager.default.removeItem(at: folder.file("b.png"))
    #expect(try refusal(template, assets: .folder(folder.url)).message.contains("sprite[1].url"))
  }

  @Test func `With the bundle's assets the URLs stay`() throws {
    #expect(try rendered(SampleStyle.template(extra: assetExtra)).contains(assetExtra))
  }

  // MARK: - Random values

  @Test func `Random paths reach the renderer unchanged, or are refused`() throws {
    var random = SeededRandom()
    let scalars = Array("ab/ \"\\%?#{}é\u{301}😀\n\u{7F}&+41").filter { $0 != "/" }
    let style = try MapStyle(template: SampleStyle.template())
    for _ in 0..<2_000 {
      let name = String(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          scalars.randomElement(using: &random)!
        })
      let path = "/d/" + name
      let url = URL(filePath: path, directoryHint: .notDirectory)
      do {
        let document = try style.rendered(["mbtiles_path": .file(url)], assets: .bundle)
        let source = try #require(try MapLibreReader.sources(of: document)["fair"])
        let found = try #require(source.dropFirst("mbtiles://".count).removingPercentEncoding)
        #expect(Array(found.utf8) == Array(path.utf8))
      } catch let error as MapError {
        #expect(error.code == .unusablePath && name.contains("?"), "\(path)")
      }
    }
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
