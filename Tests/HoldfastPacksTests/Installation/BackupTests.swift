import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// IB-5, IB-B5: what can be installed again is not backed up, and the user's databases are.
@Suite struct BackupTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  private func isExcluded(_ url: URL) throws -> Bool {
    try FileAttributes(of: url).isExcludedFromBackup
  }

  @Test func `Installed packs are excluded, and excluded again when that was lost`() async throws {
    let store = try app.store()
    let sample = try app.sample("1")
    let report = try await store.install(app.pack, from: sample.bundled)
    let generation = try #require(report.generation)
    let styles = try store.createStylesFolder(of: generation).url.deletingLastPathComponent()
    for file in generation.manifest.files { #expect(try isExcluded(generation.url(of: file))) }
    let folders = [app.folder, generation.url, styles]
    for folder in folders {
      #expect(try isExcluded(folder))
      try FileAttributes(isExcludedFromBackup: false).set(on: folder)
    }
    let launch = try await store.install(app.pack, from: sample.bundled)
    #expect(launch.action == .kept)
    #expect(launch.exclusions.map(\.path) == ["", generation.name, "styles"])
    #expect(launch.exclusions.allSatisfy { $0.isExcluded && $0.problem == nil })
    for folder in folders { #expect(try isExcluded(folder)) }
  }

  @Test func `A folder with databases of the user is backed up, and its packs are not`()
    async throws
  {
    let store = try app.store()
    _ = try await store.install(app.pack, from: try app.sample("1").bundled)
    #expect(try isExcluded(app.folder))
    let report = try await store.install(
      app.pack, from: try app.sample("2", isSeeded: true).bundled)
    #expect(try !isExcluded(app.folder))
    #expect(try isExcluded(try #require(report.generation).url))
  }

  @Test func `A store may be backed up`() async throws {
    let store = try app.store { $0.isExcludedFromBackup = false }
    let report = try await store.install(app.pack, from: try app.sample("1").bundled)
    #expect(report.exclusions.allSatisfy { !$0.isExcluded && $0.problem == nil })
    #expect(try !isExcluded(try #require(report.url(ofFileAt: "map.mbtiles"))))
  }
}
