import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// The article on packs shows no Swift that does not compile and run.
@Suite struct GettingStartedWithPacksTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Builds a version of the pack, as the article does.
  private func build(_ version: String, place: String, userVersion: Int) throws -> URL {
    let sources = folder.file("sources-\(version)")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try Data("The \(place)".utf8).write(to: sources.appending(path: "about.txt"))
    for (name, sql) in [
      ("places.db", "CREATE TABLE place (name TEXT); INSERT INTO place VALUES ('\(place)')"),
      (
        "favorites.sqlite",
        """
        CREATE TABLE favorite (name TEXT PRIMARY KEY); INSERT INTO favorite VALUES ('\(place)');
        PRAGMA user_version = \(userVersion)
        """
      ),
    ] {
      let queue = try DatabaseQueue(path: sources.appending(path: name).path)
      try queue.write { db in try db.execute(sql: sql) }
      try queue.close()
    }
    let pack = folder.file("pack-\(version)")
    let manifest = try buildGuide(filesIn: sources, to: pack, version: version)
    #expect(manifest.file(at: "favorites.sqlite")?.storage == .seeded)
    return pack
  }

  @Test func everyBlockIsAnExample() throws {
    let article = try Article("GettingStartedWithPacks", of: "HoldfastPacks")
    article.expectExamples(count: 8)
    let manifest = try #require(article.blocks(in: "text").first).lines.joined()
    #expect(manifest.contains(#".product(name: "HoldfastPacks", package: "holdfast")"#))
  }

  @Test func aPackIsInstalledUpgradedAndRolledBack() async throws {
    let store = try openStore(in: Container(at: folder.file("home")))
    #expect(try readText(in: store) == nil)

    let first = try build("1.0", place: "Lighthouse", userVersion: 1)
    #expect(try await installGuide(from: first, into: store).action == .installed)
    #expect(try await installGuide(from: first, into: store).action == .kept)
    #expect(try await places(in: store) == ["Lighthouse"])
    let source = try followPlaces(in: store)
    let old = try await source.currentDatabase()
    let favorites = try await openFavorites(in: store)
    releaseLocks(of: store, with: favorites)
    try await favorites.write { db in try db.execute(sql: "INSERT INTO favorite VALUES ('Pier')") }
    try favorites.close()

    let second = try build("2.0", place: "Quay", userVersion: 2)
    let upgrade = try await installGuide(from: second, into: store)
    #expect(upgrade.action == .upgraded(from: old.generation))
    #expect(try await places(in: store) == ["Quay"])
    #expect(try await source.currentDatabase().generation != old.generation)
    #expect(FileManager.default.fileExists(atPath: old.url.path))
    #expect(try readText(in: store) == Data("The Quay".utf8))
    let merged = try await openFavorites(in: store)
    let names = try await merged.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM favorite ORDER BY name")
    }
    #expect(names == ["Lighthouse", "Pier", "Quay"])
    try merged.close()
  }

  @Test func aVersionIsTakenBack() async throws {
    let store = try openStore(in: Container(at: folder.file("home")))
    _ = try await installGuide(
      from: build("1.0", place: "Lighthouse", userVersion: 1), into: store)
    _ = try await installGuide(from: build("2.0", place: "Quay", userVersion: 1), into: store)
    #expect(try await takeBack(in: store)?.manifest.version.description == "1.0")
    #expect(try await places(in: store) == ["Lighthouse"])
  }
}
