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
    _ = try await store.switchTo(names[0], of: app.pack)
    for sample in samples {
      let report = try await store.install(app.pack, from: sample.bundled)
      #expect(report.action == .kept)
      #expect(report.generation?.name == names[0])
    }
    // Each of them, until it was switched to.
    _ = try await store.switchTo(names[1], of: app.pack)
    #expect(
      try await store.install(app.pack, from: samples[2].bundled).generation?.name == names[1])
    // One was left by a switch, and the other one by a rollback.
    #expect(try await store.rollback(app.pack).generation?.name == names[0])
    let error = await #expect(throws: PackError.self) { try await store.rollback(app.pack) }
    #expect(error?.code == .notFound)
    for sample in samples {
      #expect(
        try await store.install(app.pack, from: sample.bundled).generation?.name == names[0])
    }
    withExtendedLifetime(leases) {}
  }

  @Test func `A rollback returns to what was current before a switch`() async throws {
    let store = try app.store()
    let new = try app.sample("2")
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    let second = try #require(try await store.install(app.pack, from: new.bundled).generation)
    _ = try await store.switchTo(first.name, of: app.pack)
    #expect(try await store.install(app.pack, from: new.bundled).generation == first)
    let report = try await store.rollback(app.pack)
    #expect(report.action == .switched(from: first.name))
    #expect(report.generation == second)
    #expect(try await store.install(app.pack, from: new.bundled).reason.contains("installed"))
    // What a rollback has left is not what another one returns to.
    let error = await #expect(throws: PackError.self) { try await store.rollback(app.pack) }
    #expect(error?.code == .notFound)
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
      origins: ["2-01234567": .folder])
    #expect(try CurrentFile(bytes: file.bytes) == file)
    for (number, way) in [(1, .rollback), (2, .switching), (3, .rollback)]
      as [(UInt8, DismissedPacks.Way)]
    {
      file.dismissed.add(try Self.digest(number), by: way)
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

  private static func digest(_ number: UInt8) throws -> SHA256Digest {
    try #require(SHA256Digest(bytes: [UInt8](repeating: number, count: 32)))
  }

  /// The file after a rollback, as versions wrote it that remembered one pack.
  private static func earlierText(_ digest: SHA256Digest) -> String {
    """
    {
      "format": 1,
      "generation": "1-01234567",
      "origins": {
        "1-01234567": "folder"
      },
      "previous": "2-89abcdef",
      "rolledBack": "\(digest)",
      "sequence": 3
    }

    """
  }

  /// What those versions read.
  private struct EarlierFile: Decodable {
    var format: Int
    var generation: String
    var previous: String?
    var sequence: Int64
    var origins: [String: String]?
    var rolledBack: SHA256Digest?
  }

  @Test func `Earlier versions and this one read each other's file`() throws {
    let digests = try (1...3).map { try Self.digest($0) }
    let text = Self.earlierText(digests[0])
    var file = try CurrentFile(bytes: Array(text.utf8))
    #expect(
      file
        == CurrentFile(
          generation: "1-01234567", previous: "2-89abcdef", sequence: 3,
          origins: ["1-01234567": .folder],
          dismissed: DismissedPacks([DismissedPacks.Member(digests[0], by: .rollback)])))
    #expect(String(decoding: file.bytes, as: UTF8.self) == text)
    for (digest, way) in zip(digests, [.switching, .rollback, .switching] as [DismissedPacks.Way]) {
      file.dismissed.add(digest, by: way)
      let earlier = try JSONDecoder().decode(EarlierFile.self, from: Data(file.bytes))
      #expect(earlier.rolledBack == digest)
      #expect(earlier.generation == file.generation)
    }
    // For some time they were written as a list.
    let one = "\"\(digests[0])\""
    let list = text.replacing(one, with: "[\"\(digests[1])\", \"\(digests[2])\"]")
    #expect(
      try CurrentFile(bytes: Array(list.utf8)).dismissed
        == DismissedPacks(digests[1...].map { DismissedPacks.Member($0, by: .rollback) }))
    for damaged in ["\"0\"", "[0]", "{}", "7"] {
      let text = text.replacing(one, with: damaged)
      #expect(throws: CurrentFile.Flaw.unreadable) { try CurrentFile(bytes: Array(text.utf8)) }
    }
  }

  /// An app that installs at each launch ended by a signal at each launch.
  @Test func `The last number of switches is followed by the first`() async throws {
    let store = try app.store()
    _ = try await store.install(app.pack, from: try app.sample("1").bundled)
    let current = app.folder.appending(path: "current")
    func setLastNumber() throws {
      let text = try String(contentsOf: current, encoding: .utf8)
      let changed = text.replacing(/"sequence": \d+/, with: "\"sequence\": \(Int64.max)")
      #expect(changed != text)
      try Data(changed.utf8).write(to: current)
    }
    try setLastNumber()
    let second = try await store.install(app.pack, from: try app.sample("2").bundled).generation
    #expect(try CurrentFile(bytes: Array(Data(contentsOf: current))).sequence == 1)
    try setLastNumber()
    _ = try await store.rollback(app.pack)
    try setLastNumber()
    #expect(
      try await store.switchTo(try #require(second).name, of: app.pack).generation == second)
  }

  @Test func `A rollback with an earlier version lasts`() async throws {
    let store = try app.store()
    let new = try app.sample("2", city: "Gerlach")
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").downloaded).generation)
    let second = try #require(try await store.install(app.pack, from: new.bundled).generation)
    let text = Self.earlierText(new.manifest.digest)
      .replacing("1-01234567", with: first.name).replacing("2-89abcdef", with: second.name)
    try Data(text.utf8).write(to: app.folder.appending(path: "current"))
    #expect(try store.current(app.pack) == first)
    #expect(try store.hold(app.pack)?.generation == first)
    #expect(try await store.install(app.pack, from: new.bundled).action == .kept)
    let error = await #expect(throws: PackError.self) { try await store.rollback(app.pack) }
    #expect(error?.code == .notFound)
    #expect(try await store.switchTo(second.name, of: app.pack).generation == second)
  }

  @Test func `The file of the current generation is never longer than what is read`() throws {
    // The longest names of generations.
    let version = (1...4).map { _ in String(repeating: "9", count: 18) }.joined(separator: ".")
    let names = (0..<2000).map { "\(version)-01234567.\(Int.max - $0)" }
    var file = CurrentFile(
      generation: names[0], previous: names[1], sequence: .max,
      origins: Dictionary(uniqueKeysWithValues: names.map { ($0, .folder) }))
    for number in 1...200 { file.dismissed.add(try Self.digest(UInt8(number)), by: .switching) }
    try Data(file.bytes).write(to: app.directory.file("current"))
    let content = try CurrentFile.content(of: PackFolder(FilePath(of: app.directory.url)))
    let read = try #require(content.file)
    #expect(read.dismissed == file.dismissed)
    #expect(read.origin(of: names[0]) == .folder && read.origin(of: names[1]) == .folder)
    #expect(read.origins.count == 128)
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
