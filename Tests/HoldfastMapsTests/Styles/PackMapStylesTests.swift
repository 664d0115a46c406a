import Foundation
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastTestSupport
import Testing

@Suite struct PackMapStylesTests {
  private let directory: TemporaryDirectory
  private let store: PackStore
  private let pack: PackName

  init() throws {
    directory = try TemporaryDirectory()
    pack = try PackName(SampleMapPack.name)
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: directory.url.appending(path: "container"))
    configuration.edition = try PackEdition("2025")
    configuration.layout = try .fixedMapNames(of: pack)
    store = PackStore(try PackName("iBurn"), configuration: configuration)
  }

  @discardableResult private func install(
    _ version: String, extra: String = "", assets: [String] = []
  ) async throws -> Generation {
    let source = try SampleMapPack(
      in: directory.url.appending(path: "bundle-\(version)"), version: version, extra: extra,
      assets: assets)
    let report = try await store.install(pack, from: .bundle(source.url))
    return try #require(report.generation)
  }

  private func source(_ style: PreparedMapStyle) throws -> String {
    try #require(try MapLibreReader.sources(of: Data(contentsOf: style.url))["fair"])
  }

  @Test func `IB-6: The festival's folder has the map and both styles under their names`()
    async throws
  {
    try await install("2025.1")
    let styles = try #require(try store.mapStyles(of: pack))
    for appearance in MapAppearance.allCases { _ = try await styles.prepare(appearance) }
    let folder = directory.url.appending(
      path: "container/Library/Application Support/iBurn/2025/Map")
    for name in ["map.mbtiles", "style-light.json", "style-dark.json"] {
      #expect(try !Data(contentsOf: folder.appending(path: name)).isEmpty, "\(name)")
    }
    let light = try Data(contentsOf: folder.appending(path: "style-light.json"))
    #expect(String(decoding: light, as: UTF8.self).contains("\"name\": \"style-light.json\""))
  }

  @Test func `IB-B7: A style names the generation's own path, and another one after an upgrade`()
    async throws
  {
    let first = try await install("2025.1")
    let old = try #require(try await store.mapStyles(of: pack)?.prepare(.light))
    let reader = MapLibreReader()
    let oldURL = try source(old)
    _ = try reader.tileJSON(of: oldURL)

    let second = try await install("2025.2")
    let new = try #require(try await store.mapStyles(of: pack)?.prepare(.light))
    let description = try reader.tileJSON(of: source(new))
    #expect(description["name"] as? String == "2025.2")
    #expect(first.url != second.url && reader.openedPaths.count == 2)
    // The map that is still shown keeps its document and its tiles.
    #expect(new.url != old.url)
    #expect(try source(old) == oldURL)
    #expect(try reader.tileJSON(of: oldURL)["name"] as? String == "2025.1")
  }

  @Test
  func `IB-B7: A generation whose path a renderer knows is not removed while the process lives`()
    async throws
  {
    let first = try await install("2025.1")
    _ = try await store.mapStyles(of: pack)?.prepare(.light)
    for version in ["2025.2", "2025.3", "2025.4"] { try await install(version) }
    _ = await store.clean(pack)
    #expect(FileManager.default.fileExists(atPath: first.url.appending(path: "map.mbtiles").path))
    // One that was not handed over is removed.
    #expect(try store.installedGenerations(of: pack).count == 3)
  }

  @Test func `Sprites and glyphs come from the same generation, or the style is refused`()
    async throws
  {
    let extra = """
      "sprite": "asset://Map/sprites", "glyphs": "asset://Map/glyphs/{fontstack}/{range}.pbf",
      """
    let generation = try await install(
      "2025.1", extra: extra, assets: ["sprites.json", "sprites.png", "glyphs/a/0-255.pbf"])
    let style = try #require(try await store.mapStyles(of: pack)?.prepare(.light))
    let text = try String(decoding: Data(contentsOf: style.url), as: UTF8.self)
    let base = generation.url.path(percentEncoded: true)
    #expect(text.contains("\"file://\(base)/sprites\""))

    try await install("2025.2", extra: extra)
    let styles = try #require(try store.mapStyles(of: pack))
    let error = await #expect(throws: MapError.self) { try await styles.prepare(.light) }
    #expect(error?.code == .missingAsset)
  }

  @Test func `Without a generation there are no styles, and another file is refused by name`()
    async throws
  {
    #expect(try store.mapStyles(of: pack) == nil)
    try await install("2025.1")
    let error = #expect(throws: MapError.self) {
      try store.mapStyles(of: pack, tileset: "other.mbtiles")
    }
    #expect(error?.code == .notFound && error?.message.contains("other.mbtiles") == true)
    #expect(throws: MapError.self) { try store.mapStyles(of: pack, templates: [.light: "x.json"]) }
  }

  @Test func `A file that has the name of a document is in the result`() async throws {
    try await install("2025.1")
    let folder = directory.url.appending(
      path: "container/Library/Application Support/iBurn/2025/Map")
    let name = folder.appending(path: "style-light.json")
    if FileManager.default.fileExists(atPath: name.path) {
      try FileManager.default.removeItem(at: name)
    }
    try Data("mine".utf8).write(to: name)
    let styles = try #require(try store.mapStyles(of: pack))
    let style = try await styles.prepare(.light)
    #expect(style.keptFiles.map(\.name) == ["style-light.json"] && style.linkProblem == nil)
  }

  @Test func `Links that cannot be switched are in the result`() async throws {
    try await install("2025.1")
    let styles = try #require(try store.mapStyles(of: pack))
    let fault = SystemFault(atCall: 1, .refuse([.symlink: .noSpace]))
    let style = try await SystemCalls.$fault.withValue(fault) { try await styles.prepare(.dark) }
    #expect(style.linkProblem != nil && style.isWritten)
  }

  /// IB-4, in a process of its own, because the log is one for all.
  @Test func `IB-4: A map that is not installed is reported in the app's words`() async throws {
    await #expect(processExitsWith: .success) { [url = directory.url as URL] in
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "maps" { lines.append(event.message) } }
      var configuration = PackStore.Configuration()
      configuration.container = Container(at: url.appending(path: "container"))
      let store = PackStore(try PackName("iBurn"), configuration: configuration)
      #expect(try store.mapStyles(of: PackName("map")) == nil)
      #expect(lines.entries == ["Couldn't find mbtiles!"])
    }
  }

  @MainActor @Test(.timeLimit(.minutes(1)))
  func `A switch of the source gives the observed style of the new generation`()
    async throws
  {
    let first = try await install("2025.1")
    let styles = try #require(try store.mapStyles(of: pack))
    let source = SwitchedSource(first.url.appending(path: "map.mbtiles"))
    let style = ObservedMapStyle(following: source, styles, appearance: .light) { [store, pack] in
      try store.mapStyles(of: pack)
    }
    let before = try #require(await style.ready())
    let second = try await install("2025.2")
    source.point(to: second.url.appending(path: "map.mbtiles"))
    while style.current?.url == before.url {
      try Task.checkCancellation()
      await Task.yield()
    }
    #expect(try self.source(#require(style.current)).contains(second.name))
  }
}
