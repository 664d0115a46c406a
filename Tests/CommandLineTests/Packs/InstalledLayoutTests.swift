import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// The verbs on packs that an app keeps in a folder with another name than the pack's, with links.
@Suite struct InstalledLayoutTests {
  let place: FestivalPacks

  init() throws { place = try FestivalPacks() }

  /// Builds a version, and returns its folder.
  private func build(_ name: String, _ version: String) throws -> URL {
    try Data("version \(version)".utf8).write(to: place.directory.file("source/about.txt"))
    let folder = "\(name)-\(version)"
    let result = try place.run(
      "pack", "build", "source", folder, "--name", name, "--version", version)
    try #require(result.status == 0, "\(result.errors)")
    return place.directory.file(folder)
  }

  /// The store of the app, whose pack lies in `iBurn/2025/Map`.
  private func store(_ pack: PackName) throws -> PackStore {
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: place.directory.file("Festival.xcappdata/AppData"))
    configuration.edition = try PackEdition("2025")
    configuration.layout = try .fixedMapNames(of: pack)
    return PackStore(try PackName("iBurn"), configuration: configuration)
  }

  private func run(
    _ verb: String, _ words: String..., edition: String? = "2025", json: Bool = true
  ) throws -> ToolProcess.Result {
    try ToolProcess.run(
      words: ["pack", verb] + words + ["--store", "iBurn"]
        + (edition.map { ["--edition", $0] } ?? []) + (json ? ["--json"] : []),
      in: place.directory.url)
  }

  /// On a case-sensitive volume `map` is another folder than `Map`.
  @Test(arguments: ["map", "grounds"])
  func `A pack is found in the folder that the app gave it`(_ name: String) async throws {
    let container = "Festival.xcappdata"
    let pack = try PackName(name)
    let store = try store(pack)
    for version in ["1", "1.1"] {
      _ = try await store.install(pack, from: .folder(try build(name, version)))
    }
    let folder = try store.url(of: pack)
    let link = folder.appending(path: "map.mbtiles")
    func version() throws -> String? {
      // The link is the app's own way to the file.
      let text = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
      let current = try #require(try store.current(pack))
      #expect(text == "\(current.name)/map.mbtiles")
      return current.manifest.version.description
    }

    // What no store has made: a folder that cannot be a pack's, and a link to no file of a pack.
    let copy = folder.deletingLastPathComponent().appending(path: "Map copy")
    try FileManager.default.copyItem(at: folder, to: copy)
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "own").path, withDestinationPath: "1-00000000/.own")

    for edition in ["2025", nil] {
      let listed = try run("list", container, edition: edition)
      #expect(try listed.objects.map { $0["pack"] as? String } == [name, name])
      #expect(try listed.objects.map { $0["state"] as? String } == ["previous", "current"])
      let verified = try run("verify", container, edition: edition)
      #expect(verified.status == 0)
      #expect(try verified.objects.map { $0["edition"] as? String } == ["2025", "2025"])
    }
    let rolledBack = try run("rollback", container, name)
    #expect(rolledBack.status == 0, "\(rolledBack.errors)")
    #expect(try version() == "1")
    let switched = try run("switch", container, name, "1.1")
    #expect(switched.status == 0, "\(switched.errors)")
    #expect(try version() == "1.1")
    _ = try build(name, "1.2")
    let installed = try run("install", "\(name)-1.2", container)
    #expect(installed.status == 0, "\(installed.errors)")
    #expect(try installed.objects.first?["action"] as? String == "upgraded")
    #expect(try version() == "1.2")
    let cleaned = try run("clean", container)
    #expect(try !cleaned.objects.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.deletingLastPathComponent().path
      ).sorted() == ["Map", "Map copy"])

    let about = try #require(try store.current(pack)?.url(ofFileAt: "about.txt"))
    try Data("version 9.9".utf8).write(to: about)
    #expect(try run("verify", container).status == 1)
  }

  @Test func `A pack of another edition, or in two folders, is not guessed`() async throws {
    let pack = try PackName("map")
    let store = try store(pack)
    for version in ["1", "1.1"] {
      _ = try await store.install(pack, from: .folder(try build("map", version)))
    }
    let other = try run("rollback", "Festival.xcappdata", "map", edition: nil, json: false)
    #expect(other.status == 66)
    #expect(other.complaint.first?.contains("edition '2025'") == true, "\(other.errors)")

    let folder = try store.url(of: pack)
    try FileManager.default.copyItem(
      at: folder, to: folder.deletingLastPathComponent().appending(path: "Copy"))
    let twice = try run("rollback", "Festival.xcappdata", "map", json: false)
    #expect(twice.status == 65)
    #expect(twice.complaint.first?.contains("'Copy', 'Map'") == true, "\(twice.errors)")
    #expect(try store.current(pack)?.manifest.version.description == "1.1")
  }

  @Test func `A container without the pack, or with a damaged older version, does not pass`()
    throws
  {
    try place.install("1")
    try place.install("1.1")
    let wrong = try place.run("pack", "verify", "Festival.xcappdata", "--store", "other")
    #expect(wrong.status == 66)
    #expect(wrong.complaint.first == "'Festival.xcappdata' has no pack in a store 'other'.")
    let older = try #require(
      try FileManager.default.contentsOfDirectory(atPath: place.installed.path)
        .first { $0.hasPrefix("1-") })
    try FileManager.default.removeItem(
      at: place.installed.appending(path: older).appending(path: "pack.json"))
    let result = try place.run("pack", "verify", "Festival.xcappdata", "--json")
    #expect(result.status == 1)
    let objects = try result.objects
    #expect(objects.count == 2)
    let broken = objects.first { $0["generation"] as? String == older }
    #expect(broken?["ok"] as? Bool == false)
    #expect((broken?["problems"] as? [String])?.count == 1)
  }
}
