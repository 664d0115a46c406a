import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// IB-B11: an update of the app unlinks the bundle's files and puts others at the same paths, while
/// the process lives.
@Suite struct InPlaceTests {
  let directory: TemporaryDirectory
  let app: GuideApp

  init() throws {
    directory = try TemporaryDirectory()
    app = try GuideApp(in: directory.url)
    try app.ship(.init(version: "1", place: "Temple"))
  }

  /// Replaces the bundle as an update does, in another process.
  private func updateApp(_ version: String, place: String) async {
    await #expect(processExitsWith: .success) {
      [url = directory.url as URL, version = version as String, place = place as String] in
      try GuideApp(in: url).ship(.init(version: version, place: place))
    }
  }

  /// IB-B4: what the seed's fallback did silently, reading the bundle, is safe where it is asked
  /// for.
  @Test func `A pool in place never reads two bundles`() async throws {
    let pool = try await app.source.database("places.db").currentDatabase().open()
    #expect(try await pool.read { try GuideApp.place($0) } == "Temple")
    await updateApp("2", place: "Man")
    // The connections that are open have the old file, which has no name any more.
    #expect(try await pool.read { try GuideApp.place($0) } == "Temple")
    // A new connection would open the new file.
    pool.invalidateReadOnlyConnections()
    let error = await #expect(throws: PackError.self) {
      try await pool.read { try GuideApp.place($0) }
    }
    #expect(error?.code == .replaced)
    #expect(error?.advice != nil)
  }

  @Test func `A pool that was suspended during the update is refused, not mixed`() async throws {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let database = try await app.source.database("places.db").currentDatabase()
    let pool = try database.open(configuration: configuration)
    _ = await pool.suspend(within: .seconds(1))
    await updateApp("2", place: "Man")
    pool.resume()
    let error = await #expect(throws: PackError.self) {
      try await pool.read { try GuideApp.place($0) }
    }
    #expect(error?.code == .replaced)
  }

  @Test func `A follower reads the new bundle after the update`() async throws {
    let followed = try FollowedDatabase(
      app.source.database("places.db"), content: GuideApp.place)
    #expect(followed.content == "Temple")
    for version in 2...4 {
      await updateApp("\(version)", place: "Place \(version)")
      let place = try await followed.read { try GuideApp.place($0) }
      #expect(place == "Place \(version)")
    }
    #expect(followed.problem == nil)
  }

  @Test func `An access in progress ends in the bundle in which it began`() async throws {
    let followed = try FollowedDatabase(
      app.source.database("places.db"), content: GuideApp.place)
    let isReading = Gate()
    let isReplaced = Gate()
    let reader = OwnThread {
      try followed.read { db in
        let first = try GuideApp.place(db)
        isReading.open()
        isReplaced.wait()
        return [first, try GuideApp.place(db)]
      }
    }
    try await onOwnThread { isReading.wait() }
    await updateApp("2", place: "Man")
    let place = try await followed.read { try GuideApp.place($0) }
    #expect(place == "Man")
    isReplaced.open()
    #expect(try await reader.value == ["Temple", "Temple"])
  }

  @Test func `A bundle that is damaged or half replaced is refused`() throws {
    let source = app.source.database("places.db")
    _ = try source.currentDatabase()
    let file = app.bundle.appending(path: "guide/places.db")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    var error = #expect(throws: PackError.self) { try source.currentDatabase() }
    #expect(error?.code == .damaged)
    try bytes.dropLast(10).write(to: file)
    error = #expect(throws: PackError.self) { try source.currentDatabase() }
    #expect(error?.code == .damaged)
    try FileManager.default.removeItem(at: file)
    error = #expect(throws: PackError.self) { try source.currentDatabase() }
    #expect(error?.code == .notFound)
    try app.ship(.init(version: "2", place: "Man"))
    #expect(try source.currentDatabase().open().read(GuideApp.place) == "Man")
  }

  @Test func `The same file at the same path is verified once`() throws {
    let source = app.source.database("places.db")
    let first = try source.currentDatabase()
    let fault = SystemFault(atCall: .max, .fail(.noSpace))
    let second = try SystemCalls.$fault.withValue(fault) { try source.currentDatabase() }
    #expect(first.generation == second.generation)
    #expect(!fault.callsSeen.contains(.open))
  }

  @Test func `An awaited question verifies the same file`() async throws {
    let source = app.source.database("places.db")
    let fault = SystemFault(atCall: .max, .fail(.noSpace))
    let database = try await SystemCalls.$fault.withValue(fault) {
      try await source.currentDatabase()
    }
    #expect(fault.callsSeen.contains(.open))
    #expect(try await database.open().read { try GuideApp.place($0) } == "Temple")
    let file = app.bundle.appending(path: "guide/places.db")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    let error = await #expect(throws: PackError.self) { try await source.currentDatabase() }
    #expect(error?.code == .damaged)
  }

  @Test func `A seed and a plain name are refused in place`() throws {
    #expect(
      #expect(throws: PackError.self) {
        try app.source.database("art.sqlite").currentDatabase()
      }?.code == .unsuitable)
    #expect(
      #expect(throws: PackError.self) {
        try app.source.database("other.db").currentDatabase()
      }?.code == .notFound)
  }

  @Test func `A store without the pack uses the bundle until the pack is installed`() throws {
    let store = try app.store()
    let source = store.source("places.db", of: app.pack, orInPlace: app.source)
    let followed = try FollowedDatabase(source, content: GuideApp.place)
    #expect(followed.path?.hasPrefix(app.bundle.path) == true)
    _ = try store.install(app.pack, from: app.source)
    #expect(try followed.read(GuideApp.place) == "Temple")
    #expect(followed.path?.hasPrefix(app.folder.path) == true)
  }
}
