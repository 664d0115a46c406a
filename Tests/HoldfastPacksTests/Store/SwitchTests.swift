import Foundation
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// Rollbacks and switches between generations.
@Suite struct SwitchTests {
  let app: PackApp

  init() throws {
    app = try PackApp()
  }

  @Test func `A rollback lasts until a newer pack is offered`() async throws {
    let store = try app.store()
    let old = try app.sample("1")
    let new = try app.sample("2", city: "Gerlach")
    let first = try #require(try await store.install(app.pack, from: old.bundled).generation)
    let second = try #require(try await store.install(app.pack, from: new.bundled).generation)
    let report = try await store.rollback(app.pack)
    #expect(report.action == .switched(from: second.name))
    #expect(try store.current(app.pack) == first)
    let launch = try await store.install(app.pack, from: new.bundled)
    #expect(launch.action == .kept)
    #expect(launch.generation == first)
    #expect(launch.reason.contains("rolled back"))
    let error = await #expect(throws: PackError.self) { try await store.rollback(app.pack) }
    #expect(error?.code == .notFound)
    let newer = try await store.install(app.pack, from: try app.sample("3").bundled)
    #expect(newer.action == .upgraded(from: first.name))
    #expect(try store.previous(app.pack) == first)
  }

  @Test func `A rollback can be undone, and is not undone by a repair`() async throws {
    let store = try app.store()
    let new = try app.sample("2", city: "Gerlach")
    let old = try app.sample("1")
    _ = try await store.install(app.pack, from: old.bundled)
    let second = try #require(try await store.install(app.pack, from: new.bundled).generation)
    let first = try #require(try await store.rollback(app.pack).generation)
    try SamplePack.damage(try #require(first.url(ofFileAt: "sprite.png")))
    let repaired = try await store.install(app.pack, from: old.bundled)
    #expect(repaired.action == .repaired(from: first.name))
    #expect(try await store.install(app.pack, from: new.bundled).generation == repaired.generation)
    #expect(try await store.switchTo(second.name, of: app.pack).generation == second)
    #expect(try await store.install(app.pack, from: new.bundled).reason.contains("installed"))
  }

  @Test func `A switch to a lower version lasts until a newer pack is offered`() async throws {
    let store = try app.store()
    let new = try app.sample("2")
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    let second = try #require(try await store.install(app.pack, from: new.bundled).generation)
    _ = try await store.switchTo(first.name, of: app.pack)
    let launch = try await store.install(app.pack, from: new.bundled)
    #expect(launch.action == .kept)
    #expect(launch.generation == first)
    #expect(try await store.switchTo(second.name, of: app.pack).generation == second)
    #expect(try await store.install(app.pack, from: new.bundled).generation == second)
    _ = try await store.switchTo(first.name, of: app.pack)
    let newer = try await store.install(app.pack, from: try app.sample("3").bundled)
    #expect(newer.action == .upgraded(from: first.name))
  }

  @Test func `A switch to other content of one version lasts`() async throws {
    let store = try app.store()
    let shipped = try app.sample("1", city: "Gerlach")
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    _ = try await store.install(app.pack, from: shipped.bundled)
    _ = try await store.switchTo(first.name, of: app.pack)
    #expect(try await store.install(app.pack, from: shipped.bundled).generation == first)
  }

  /// IB-13: what was downloaded is preferred to a bundle that is not newer.
  @Test func `A generation keeps its origin while others are current`() async throws {
    let store = try app.store()
    _ = try await store.install(app.pack, from: try app.sample("1").bundled)
    let downloaded = try app.sample("2").downloaded
    let second = try #require(try await store.install(app.pack, from: downloaded).generation)
    var lease = try store.hold(app.pack)
    for version in ["3", "4"] {
      _ = try await store.install(app.pack, from: try app.sample(version).bundled)
    }
    #expect(try await store.switchTo(second.name, of: app.pack).generation?.origin == .folder)
    #expect(lease?.generation.name == second.name)
    lease = nil
    let launch = try await store.install(
      app.pack, from: try app.sample("2", city: "Gerlach").bundled)
    #expect(launch.generation == second)
    let folder = PackFolder(try FilePath(of: store.url(of: app.pack)))
    let origins = { try CurrentFile.content(of: folder).file?.origins }
    #expect(try origins()?[second.name] == .folder)
    // Of generations that are gone, nothing is kept; a clean-up follows the switch.
    for version in ["5", "6", "7"] {
      _ = try await store.install(app.pack, from: try app.sample(version).bundled)
    }
    let names = try store.installedGenerations(of: app.pack).map(\.name)
    #expect(names.count == 2 && !names.contains(second.name))
    #expect(try origins()?.keys.contains(second.name) == false)
  }

  @Test func `Packs that were left one after the other are not installed again`() async throws {
    let store = try app.store()
    var samples: [SamplePack] = []
    var names: [String] = []
    var leases: [GenerationLease?] = []
    for version in ["1", "2", "3"] {
      let sample = try app.sample(version)
      samples.append(sample)
      names.append(
        try #require(
          try await store.install(app.pack, from: sample.bundled).generation?.name))
      leases.append(try store.hold(app.pack))
    }
    _ = try await store.switchTo(names[1], of: app.pack)
    _ = try await store.rollback(app.pack)
    for sample in samples {
      let report = try await store.install(app.pack, from: sample.bundled)
      #expect(report.action == .kept)
      #expect(report.generation?.name == names[0])
    }
    // Each of them, until it was switched to.
    _ = try await store.switchTo(names[1], of: app.pack)
    #expect(
      try await store.install(app.pack, from: samples[2].bundled).generation?.name == names[1])
    withExtendedLifetime(leases) {}
  }

  @Test func `A switch needs a generation that is there and whole`() async throws {
    let store = try app.store()
    let notInstalled = await #expect(throws: PackError.self) { try await store.rollback(app.pack) }
    #expect(notInstalled?.code == .notFound)
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    let second = try #require(
      try await store.install(app.pack, from: try app.sample("2").bundled).generation)
    for name in ["3-01234567", "../map", "current", ""] {
      let error = await #expect(throws: PackError.self) {
        try await store.switchTo(name, of: app.pack)
      }
      #expect(error?.code == .notFound)
    }
    #expect(try await store.switchTo(second.name, of: app.pack).action == .kept)
    #expect(
      try await store.switchTo(first.name, of: app.pack).action == .switched(from: second.name))
    #expect(try store.previous(app.pack) == second)
    try SamplePack.damage(try #require(second.url(ofFileAt: "sprite.png")))
    let damaged = await #expect(throws: PackError.self) {
      try await store.switchTo(second.name, of: app.pack)
    }
    #expect(damaged?.code == .damaged)
    #expect(try store.current(app.pack) == first)
  }

  @Test func `Each switch has a number`() async throws {
    let store = try app.store()
    let folder = PackFolder(try FilePath(of: store.url(of: app.pack)))
    let number = { try CurrentFile.content(of: folder).file?.sequence }
    _ = try await store.install(app.pack, from: try app.sample("1").bundled)
    #expect(try number() == 1)
    _ = try await store.install(app.pack, from: try app.sample("2").bundled)
    #expect(try number() == 2)
    _ = try await store.rollback(app.pack)
    #expect(try number() == 3)
  }

  @Test func `The file of the current generation contains names only`() throws {
    var file = CurrentFile(
      generation: "2-01234567", previous: "1-89abcdef", sequence: 7,
      origins: ["2-01234567": .folder], rolledBack: [])
    #expect(try CurrentFile(bytes: file.bytes) == file)
    for text in ["1", "2"] {
      var hasher = SHA256()
      hasher.update(text.utf8)
      file.rolledBack.insert(hasher.finalize())
      #expect(try CurrentFile(bytes: file.bytes) == file)
    }
    file.previous = nil
    #expect(try CurrentFile(bytes: file.bytes) == file)
    for text in [
      "", "null", "[]", #"{"format":1}"#, #"{"format":1,"generation":"/etc","sequence":1}"#,
      #"{"format":1,"generation":"1-01234567","sequence":-1}"#, #"{"format":1.5}"#,
    ] {
      #expect(throws: CurrentFile.Flaw.unreadable) { try CurrentFile(bytes: Array(text.utf8)) }
    }
    #expect(throws: CurrentFile.Flaw.newerFormat(9)) {
      try CurrentFile(bytes: Array(#"{"format":9,"generation":{}}"#.utf8))
    }
  }

  @Test func `The name of a generation's folder is recognized`() {
    for name in ["2025.1.3-01234567", "1-abcdef01", "1-abcdef01.2", "1.0-00000000.17"] {
      #expect(GenerationName(name)?.description == name)
    }
    for name in [
      "", "1", "1-", "1-abcdefg0", "1-ABCDEF01", "1-abcdef01.1", "1-abcdef01.02", "1-abcdef01.x",
      "01-abcdef01", "current", "1-abcdef01.2.3", "../1-abcdef01", "1-abcdef012", "1-abcdef0é",
    ] {
      #expect(GenerationName(name) == nil)
    }
  }
}
