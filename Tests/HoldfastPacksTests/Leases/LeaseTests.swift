import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

@Suite struct LeaseTests {
  private static let scope = ProcessScope(boot: "01234567", table: "89abcdef")

  private static func lease(
    _ role: String = "org.example.app", scope: ProcessScope = scope, process: Int32 = 4711,
    start: UInt64? = 99
  ) -> Lease {
    Lease(
      role: role, scope: scope, process: ProcessIdentity(number: process, start: start), serial: 3,
      generation: "2025.1-01234567.2")
  }

  @Test func `The name of a file says everything`() {
    for lease in [
      Self.lease(), Self.lease(start: nil), Self.lease(scope: ProcessScope(boot: nil, table: "0")),
    ] {
      #expect(Lease(name: lease.name) == lease)
    }
    for name in ["", "a", "a~b~c~d~e~f~g", "~~~~~~~", ".DS_Store", "a~b~c~-1~2~3~g"] {
      #expect(Lease(name: name) == nil)
    }
    // The longest role and the longest version fit into one name.
    let long = Lease(
      role: String(repeating: "r", count: 64), scope: Self.scope,
      process: ProcessIdentity(number: .max, start: .max), serial: .max,
      generation:
        "999999999999999999.999999999999999999.999999999999999999.999999999999999999-01234567.999")
    #expect(long.name.utf8.count <= 255)
  }

  @Test(arguments: [
    (
      ProcessScope(boot: "01234567", table: "89abcdef"), ProcessIdentity.Presence.running,
      Lease.Standing.held
    ),
    (ProcessScope(boot: "01234567", table: "89abcdef"), .ended, .ended),
    (ProcessScope(boot: "01234567", table: "89abcdef"), .unknown, .unknown),
    // No process survives the system's start, whatever has its number now.
    (ProcessScope(boot: "ffffffff", table: "89abcdef"), .running, .ended),
    // The numbers of another container's processes say nothing here.
    (ProcessScope(boot: "01234567", table: "00000000"), .ended, .unknown),
    (ProcessScope(boot: nil, table: "89abcdef"), .ended, .unknown),
  ])
  func `A lease ends when its process is proven to have ended`(
    _ present: ProcessScope, _ presence: ProcessIdentity.Presence, _ standing: Lease.Standing
  ) {
    #expect(Self.lease().standing(in: present) { _ in presence } == standing)
  }

  @Test func `A role of one process never replaces the leases of its own process`() {
    let new = Self.lease(process: 5000)
    #expect(Self.lease().isReplaced(by: new))
    #expect(!Self.lease("org.example.widget").isReplaced(by: new))
    #expect(!Self.lease(process: 5000).isReplaced(by: new))
    // What the system did not say may be this process's.
    #expect(!Self.lease(process: 5000, start: nil).isReplaced(by: new))
    // The same number at another time is another process.
    #expect(Self.lease(process: 5000, start: 98).isReplaced(by: new))
  }

  @Test func `This process runs, and one that has ended does not`() async throws {
    #expect(ProcessIdentity.current.presence == .running)
    var later = ProcessIdentity.current
    later.start = (later.start ?? 0) + 1
    #expect(later.presence == .ended)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["true"]
    try process.run()
    process.waitUntilExit()
    #expect(
      ProcessIdentity(number: process.processIdentifier, start: nil).presence == .ended)
    #expect(ProcessScope.current == ProcessScope.current)
    #expect(ProcessScope.current.boot?.utf8.count == 8)
  }

  /// A generation is held while its lease lives, after a suspension too, and no longer.
  @Test func `A lease lasts as long as its value`() async throws {
    let app = try PackApp()
    let store = try app.store()
    _ = try await store.install(app.pack, from: try app.sample("1").bundled)
    var lease = try store.hold(app.pack)
    var second = try app.store().hold(app.pack)
    let names = { try FileManager.default.contentsOfDirectory(atPath: app.folder.path + "/leases") }
    #expect(try names().count == 2)
    #expect(lease?.problem == nil)
    store.suspend()
    #expect(try names().count == 2)
    lease = nil
    #expect(try names().count == 1)
    second = nil
    #expect(try names().isEmpty)
    _ = (lease, second)
  }

  /// Law 2: a lease that could not be recorded is recorded as soon as possible, and not forgotten.
  @Test func `A lease that could not be recorded is reported, and recorded later`() async throws {
    let directory = try TemporaryDirectory()
    let app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
    let store = try app.store()
    let leases = app.folder.appending(path: "leases")
    let source = store.source("places.db", of: app.pack)
    let count = { try FileManager.default.contentsOfDirectory(atPath: leases.path).count }
    // A file in the place of the folder.
    try Data().write(to: leases)
    let pool = try store.open("places.db", of: app.pack)
    let database = try await source.currentDatabase()
    let lease = try store.hold(app.pack)
    #expect(lease?.problem != nil)
    #expect(store.recordLeases().count == 3)
    try FileManager.default.removeItem(at: leases)
    _ = try await source.currentDatabase()
    #expect(try count() >= 1)
    let next = try store.hold(app.pack)
    #expect(lease?.problem == nil)
    #expect(try count() == 4)
    #expect(store.recordLeases().isEmpty)
    withExtendedLifetime((pool, database, lease, next)) {}
  }

  /// The lease of a killed process ends by itself; one whose process runs does not.
  @Test func `A killed process holds nothing`() async throws {
    let app = try PackApp()
    let store = try app.store()
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    await #expect(processExitsWith: .signal(SIGKILL)) { [container = app.container as URL] in
      var configuration = PackStore.Configuration()
      configuration.container = Container(at: container)
      let store = PackStore(try PackName("iBurn"), configuration: configuration)
      let lease = try store.hold(PackName("map"))
      try #require(lease?.problem == nil)
      kill(getpid(), SIGKILL)
      withExtendedLifetime(lease) {}
    }
    let leases = app.folder.appending(path: "leases")
    #expect(try FileManager.default.contentsOfDirectory(atPath: leases.path).count == 1)
    _ = try await store.install(app.pack, from: try app.sample("2").bundled)
    let report = try await store.install(app.pack, from: try app.sample("3").bundled)
    #expect(report.cleaning?.removed == [first.name])
    #expect(try FileManager.default.contentsOfDirectory(atPath: leases.path).isEmpty)
  }

  /// The one-process role of a new launch ends what cannot be examined.
  @Test func `A new process of a role of one ends an unknown lease`() async throws {
    let app = try PackApp()
    let store = try app.store { $0.role = try LeaseRole("org.example.app", count: .one) }
    let first = try #require(
      try await store.install(app.pack, from: try app.sample("1").bundled).generation)
    let leases = app.folder.appending(path: "leases")
    try FileManager.default.createDirectory(at: leases, withIntermediateDirectories: true)
    let unknown = ["org.example.app", "org.example.widget"].map { role in
      Lease(
        role: role, scope: ProcessScope(boot: ProcessScope.current.boot, table: "00000000"),
        process: ProcessIdentity(number: 1, start: 1), serial: 1, generation: first.name)
    }
    for lease in unknown { try Data().write(to: leases.appending(path: lease.name)) }
    _ = try await store.install(app.pack, from: try app.sample("2").bundled)
    let report = try await store.install(app.pack, from: try app.sample("3").bundled)
    let kept = try #require(report.cleaning?.kept.first { $0.name == first.name })
    #expect(
      ["org.example.app", "org.example.widget"].map {
        CleaningReport.Reason.unknownLease(role: $0, process: 1)
      }.contains(kept.reason))
    let lease = try store.hold(app.pack)
    let left = try FileManager.default.contentsOfDirectory(atPath: leases.path)
    #expect(!left.contains(unknown[0].name))
    #expect(left.contains(unknown[1].name))
    withExtendedLifetime(lease) {}
  }
}
