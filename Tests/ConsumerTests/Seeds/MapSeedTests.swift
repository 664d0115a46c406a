import Foundation
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// The folders, the code and the log lines of the document about a festival's map, compared with
/// what the same app gets from a store of packs.
@Suite(
  .enabled(if: Seed.isThere("000"), "The document about a festival's map is absent."),
  .timeLimit(.minutes(2)))
struct MapSeedTests {
  /// An app with the document's map, whose bundle contains the pack.
  private struct App {
    let folder: URL
    let pack: PackName

    init(in folder: URL) throws {
      self.folder = folder
      pack = try PackName("map")
    }

    var bundle: URL { folder.appending(path: "App.bundle/Map.bundle") }
    var container: URL { folder.appending(path: "container") }
    var applicationSupport: URL { container.appending(path: "Library/Application Support") }
    var cache: URL { applicationSupport.appending(path: "iBurn/2025/Map") }

    func store() throws -> PackStore {
      var configuration = PackStore.Configuration()
      configuration.container = Container(at: container)
      configuration.edition = try PackEdition("2025")
      configuration.layout = try .fixedMapNames(of: pack)
      return PackStore(try PackName("iBurn"), configuration: configuration)
    }

    /// Puts a version of the map into the bundle, as an update of the app does.
    func ship(_ version: String) throws {
      let samples = PackageFolder.root.appending(path: "Samples/lantern-fair/\(version)")
      let source = folder.appending(path: "source-\(version)")
      for url in [source, bundle.deletingLastPathComponent()] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      }
      for name in ["map.mbtiles", "style-light.json", "style-dark.json"] {
        try FileManager.default.copyItem(
          at: samples.appending(path: name), to: source.appending(path: name))
      }
      var builder = PackBuilder(
        PackDescription(name: pack, version: try PackVersion(version)),
        checks: PackBuilder.mapChecks)
      builder.replacesPack = true
      _ = try builder.build(filesIn: source, to: bundle)
    }

    func install() async throws -> InstallReport {
      try await store().install(pack, from: .bundle(bundle))
    }

    /// The map as the bundle has it.
    var shippedMap: URL { bundle.appending(path: "map.mbtiles") }
  }

  private let directory: TemporaryDirectory
  private let app: App

  init() throws {
    directory = try TemporaryDirectory()
    app = try App(in: directory.url)
  }

  // MARK: Folders

  /// IB-6, IB-7: each file of the document's drawing is where the drawing has it.
  @Test func `The folders and files are those that the document draws`() async throws {
    let drawing = try #require(
      try Seed("000", language: "").blocks.first { $0.contains("map.mbtiles") && $0.contains("──") }
    )
    let drawn = Self.files(in: drawing)
    #expect(drawn.count == 3)
    try app.ship("1.0")
    let report = try await app.install()
    let styles = try #require(try app.store().mapStyles(of: app.pack))
    for appearance in MapAppearance.allCases { _ = try await styles.prepare(appearance) }
    let tiles = try #require(report.url(ofFileAt: "map.mbtiles"))
    for path in drawn {
      let file = app.applicationSupport.deletingLastPathComponent().appending(path: path)
      let content = try Data(contentsOf: file)
      if path.hasSuffix(".mbtiles") {
        #expect(try content == Data(contentsOf: app.shippedMap))
      } else {
        // "MapLibre Native requires absolute paths for mbtiles:// scheme".
        let address = "mbtiles://" + tiles.path(percentEncoded: true)
        #expect(String(decoding: content, as: UTF8.self).contains("\"\(address)\""), "\(path)")
      }
    }
  }

  /// IB-5: "Files marked as excluded from iCloud backup".
  @Test func `Everything that is copied or written is excluded from backups`() async throws {
    try app.ship("1.0")
    let report = try await app.install()
    let styles = try #require(try app.store().mapStyles(of: app.pack))
    let style = try await styles.prepare(.light)
    #expect(report.exclusions.allSatisfy { $0.isExcluded && $0.problem == nil })
    let tiles = try #require(report.url(ofFileAt: "map.mbtiles"))
    // What lies in an excluded folder is excluded with it.
    let styleFolder = style.url.deletingLastPathComponent().deletingLastPathComponent()
    for url in [app.cache, tiles, styleFolder] {
      #expect(try FileAttributes(of: url).isExcludedFromBackup, "\(url.lastPathComponent)")
    }
  }

  // MARK: The code

  /// The document's code, which returns the map's place; its folder and bundle are arguments.
  private static let program = Result {
    let code = try Seed("000").block(0)
    return try SwiftProgram([
      "Bundle+iBurn.swift": """
      import Foundation

      extension Bundle {
        static var brc_mapCacheDirectory: URL { URL(filePath: CommandLine.arguments[1]) }

        static var brc_mbtilesURL: URL? {
          let path = CommandLine.arguments[2] + "/map.mbtiles"
          return FileManager.default.fileExists(atPath: path) ? URL(filePath: path) : nil
        }

      \(code)
      }
      """,
      "main.swift": """
      import Foundation

      print(Bundle.brc_cachedMbtilesURL?.path ?? "nil", terminator: "")
      """,
    ])
  }

  /// Returns the place that the document's code returns; `nil` when it finds no map.
  private func seedsMap() throws -> URL? {
    let path = try Self.program.get().run(app.cache.path, app.bundle.path)
    return path == "nil" ? nil : URL(filePath: path)
  }

  /// IB-1, IB-2: both find one file.
  @Test(.enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"))
  func `The document's code finds the map that the store installed`() async throws {
    try app.ship("1.0")
    let report = try await app.install()
    let found = try #require(try seedsMap())
    #expect(found.path == app.cache.path + "/map.mbtiles")
    #expect(
      found.resolvingSymlinksInPath().path
        == report.url(ofFileAt: "map.mbtiles")?.resolvingSymlinksInPath().path)
  }

  /// IB-B1: an app that copied its map with the document's code is updated to one with a store.
  @Test(.enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"))
  func `The copy that the document's code made is kept, and no longer used`() async throws {
    try app.ship("1.0")
    let copy = try #require(try seedsMap())
    let copied = try Data(contentsOf: copy)
    #expect(try copied == Data(contentsOf: app.shippedMap))

    try app.ship("1.1")
    // This code copies a map once.
    #expect(try Data(contentsOf: #require(try seedsMap())) == copied)
    let report = try await app.install()
    let kept = try #require(report.keptFiles.first)
    #expect(kept.name == "map.mbtiles" && report.keptFiles.count == 1)
    #expect(try Data(contentsOf: app.cache.appending(path: kept.movedTo ?? kept.name)) == copied)
    let tiles = try #require(report.url(ofFileAt: "map.mbtiles"))
    #expect(try Data(contentsOf: tiles) == Data(contentsOf: app.shippedMap))
    #expect(try Data(contentsOf: tiles) != copied)
  }

  // MARK: Fallbacks and log lines

  /// IB-3, IB-11: "Graceful fallback to bundle URL if cache operations fail".
  @Test(.enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"))
  func `Without a place for the copy both name the map in the bundle`() async throws {
    try app.ship("1.0")
    try FileManager.default.createDirectory(
      at: app.applicationSupport, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: app.applicationSupport.appending(path: "iBurn"))
    #expect(try seedsMap()?.path == app.shippedMap.path)
    let report = try await app.install()
    #expect(report.generation == nil && report.failure != nil)
    #expect(report.url(ofFileAt: "map.mbtiles")?.path == app.shippedMap.path)
    // The handler is the process's own.
    await #expect(processExitsWith: .success) { [folder = directory.url as URL] in
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "packs" { lines.append(event.message) } }
      _ = try await App(in: folder).install()
      let line = try #require(lines.entries.first)
      #expect(line.hasPrefix("Error creating map cache directory: "))
    }
  }

  /// IB-11: the lines of a first and of a second start.
  @Test func `A copy is logged in the app's words, and only when it is made`() async throws {
    try app.ship("1.0")
    await #expect(processExitsWith: .success) { [folder = directory.url as URL] in
      let app = try App(in: folder)
      let lines = Journal<String>()
      Log.setHandler { event in if event.category == "packs" { lines.append(event.message) } }
      let report = try await app.install()
      let tiles = try #require(report.url(ofFileAt: "map.mbtiles"))
      let line = "Successfully copied mbtiles to cache: \(tiles.path)"
      #expect(lines.entries.filter { $0.contains("mbtiles") } == [line])
      #expect(try await app.install().action == .kept)
      #expect(lines.entries.filter { $0.contains("mbtiles") } == [line])
    }
  }

  /// IB-4: neither a copy nor a map in the bundle.
  @Test(.enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"))
  func `Without any map there is none, and both lines are logged`() async throws {
    #expect(try seedsMap() == nil)
    await #expect(processExitsWith: .success) { [folder = directory.url as URL] in
      let app = try App(in: folder)
      let lines = Journal<String>()
      Log.setHandler { event in lines.append(event.message) }
      let error = await #expect(throws: PackError.self) { try await app.install() }
      #expect(error?.code == .notFound)
      #expect(try app.store().mapStyles(of: app.pack) == nil)
      #expect(
        lines.entries.filter { $0.contains("mbtiles") }
          == ["Could not find mbtiles in bundle", "Couldn't find mbtiles!"])
    }
  }

  /// Returns the paths of the files in a drawing of folders; a folder's name ends with `/`.
  private static func files(in drawing: String) -> [String] {
    var folders: [Substring] = []
    var files: [String] = []
    for line in drawing.split(separator: "\n") {
      let name = line.drop { " │├└─".contains($0) }
      // Each level is drawn with four characters.
      folders.removeSubrange(
        min(folders.count, line.distance(from: line.startIndex, to: name.startIndex) / 4)...)
      if name.hasSuffix("/") {
        folders.append(name.dropLast())
      } else {
        let words = name.split(separator: "(", maxSplits: 1)[0]
        files.append(
          (folders + [words]).joined(separator: "/").trimmingCharacters(in: .whitespaces))
      }
    }
    return files
  }
}
