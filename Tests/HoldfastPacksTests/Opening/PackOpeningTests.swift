import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct PackOpeningTests {
  let directory: TemporaryDirectory
  let app: GuideApp

  init() throws {
    directory = try TemporaryDirectory()
    app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1", place: "Temple"))
  }

  private func leases() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: app.folder.appending(path: "leases").path
    ).sorted()
  }

  /// IB-B7: the file that is open stays what and where it is.
  @Test func `A pool keeps its generation while newer ones are installed`() async throws {
    let store = try app.store()
    var pool: DatabasePool? = try store.open("places.db", of: app.pack)
    let path = try #require(pool?.path)
    for version in 2...4 {
      try app.install(.init(version: "\(version)", place: "Temple \(version)"))
      _ = await store.clean(app.pack)
      #expect(try await pool?.read { try GuideApp.place($0) } == "Temple")
    }
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try leases().count == 1)
    // Readers that are opened later read the same generation.
    pool?.invalidateReadOnlyConnections()
    #expect(try await pool?.read { try GuideApp.place($0) } == "Temple")
    #expect(
      try await store.open("places.db", of: app.pack).read { try GuideApp.place($0) } == "Temple 4")

    pool = nil
    _ = await store.clean(app.pack)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try leases() == [])
  }

  @Test func `A pool of a pack writes nothing and locks nothing`() throws {
    let pool = try app.store().open("places.db", of: app.pack)
    let folder = try #require(pool.path.map { URL(filePath: $0).deletingLastPathComponent() })
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    try pool.read { db in
      _ = try GuideApp.place(db)
      #if os(Linux)
        let locks = try LockTable(ofDatabaseAt: URL(filePath: pool.path ?? "")).locks
        #expect(locks.isEmpty)
      #endif
    }
    let error = #expect(throws: DatabaseError.self) {
      try pool.write { db in try db.execute(sql: "DELETE FROM place") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names)
  }

  @Test func `A lease outlives a suspension, and the resume finds the generation`() async throws {
    let store = try app.store()
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try store.open("places.db", of: app.pack, configuration: configuration)
    let path = try #require(pool.path)
    #expect(try await pool.read { try GuideApp.place($0) } == "Temple")
    let report = await pool.suspend(within: .seconds(1))
    #expect(report.notFree.isEmpty)
    if OpenFiles.areKnown { #expect(try OpenFiles.beginning(with: path) == []) }
    // The app extension upgrades twice and cleans up while the app is suspended.
    for version in 2...3 {
      try app.install(.init(version: "\(version)", place: "Temple \(version)"))
    }
    _ = await store.clean(app.pack)
    #expect(try leases().count == 1)
    pool.resume()
    #expect(try await pool.read { try GuideApp.place($0) } == "Temple")
  }

  @Test func `What is no database to read is refused by name`() throws {
    let store = try app.store()
    func code(_ file: String) -> PackError.Code? {
      #expect(throws: PackError.self) { try store.open(file, of: app.pack) }?.code
    }
    #expect(code("missing.db") == .notFound)
    #expect(code("art.sqlite") == .unsuitable)
    #expect(code("PLACES.db") == .notFound)
    let other = try PackName("other")
    #expect(
      #expect(throws: PackError.self) { try store.open("places.db", of: other) }?.code
        == .notFound)
  }

  // MARK: Following

  @Test func `A followed pack is read in its current generation`() async throws {
    let store = try app.store()
    let source = store.source("places.db", of: app.pack)
    let followed = try FollowedDatabase(source, content: GuideApp.place)
    #expect(try await followed.read { try GuideApp.place($0) } == "Temple")
    for version in 2...5 {
      try app.install(.init(version: "\(version)", place: "Temple \(version)"))
      let place = try await followed.read { db in try GuideApp.place(db) }
      #expect(place == "Temple \(version)")
      #expect(followed.content == "Temple \(version)")
    }
    #expect(followed.problem == nil)
    // The watch may be reading an earlier generation at this moment.
    let leases = app.folder.appending(path: "leases").path
    await until {
      // What cannot be read now is read again.
      (try? FileManager.default.contentsOfDirectory(atPath: leases))?.count == 1
    }
  }

  @Test func `A switch of another process reaches the reader without a call`() async throws {
    let store = try app.store()
    let followed = try FollowedDatabase(
      store.source("places.db", of: app.pack), content: GuideApp.place)
    let url = directory.url
    await #expect(processExitsWith: .success) { [url = url as URL] in
      try GuideApp(in: url).install(.init(version: "2", place: "Man"))
    }
    await until { followed.content == "Man" }
    #expect(followed.problem == nil)
  }

  private struct NoPlace: Error {}

  @Test func `A generation that cannot be used keeps the previous one in use`() throws {
    let store = try app.store()
    let followed = try FollowedDatabase(store.source("places.db", of: app.pack)) { db in
      let place = try GuideApp.place(db)
      if place.isEmpty { throw NoPlace() }
      return place
    }
    try app.install(.init(version: "2", place: ""))
    #expect(try followed.read(GuideApp.place) == "Temple")
    #expect(followed.problem is NoPlace)
    #expect(followed.content == "Temple")
    try app.install(.init(version: "3", place: "Playa"))
    #expect(try followed.read(GuideApp.place) == "Playa")
    #expect(followed.problem == nil)
  }

  // MARK: Generations

  @Test func `Each consumer of the generations gets the first and the last one`() async throws {
    let store = try app.store()
    let pack = app.pack
    let last = "7"
    let consumers = (1...3).map { _ in
      Task {
        var versions: [String] = []
        for await generation in store.generations(of: pack) {
          versions.append(generation.manifest.version.description)
          if versions.last == last { break }
        }
        return versions
      }
    }
    let url = directory.url
    for version in 2...4 { try app.install(.init(version: "\(version)")) }
    await #expect(processExitsWith: .success) { [url = url as URL] in
      for version in 5...7 { try GuideApp(in: url).install(.init(version: "\(version)")) }
    }
    for consumer in consumers {
      let versions = await consumer.value
      #expect(versions.last == last)
      #expect(versions == versions.sorted())
      #expect(Set(versions).count == versions.count)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A generation that cannot be read at first is read again without a switch`() async throws {
    let store = try app.store()
    var generations = store.generations(of: app.pack).makeAsyncIterator()
    let fault = SystemFault(atCall: 1, .fail(.inputOutput))
    let first = await SystemCalls.$fault.withValue(fault) { await generations.next() }
    #expect(fault.hasStruck)
    #expect(first?.manifest.version.description == "1")
  }

  @Test func `A cancelled consumer ends, and leaves no watch behind`() async throws {
    // Of a folder of its own, which no other test watches.
    let store = try app.store()
    let pack = app.pack
    let watched = try FilePath(of: store.url(of: pack)).appending(["current"])
    let isBegun = Gate()
    let consumer = Task {
      var count = 0
      for await _ in store.generations(of: pack) {
        count += 1
        isBegun.open()
      }
      return count
    }
    try await onOwnThread { isBegun.wait() }
    #expect(ReplacementWatch.isWatched(watched))
    consumer.cancel()
    #expect(await consumer.value == 1)
    await until { !ReplacementWatch.isWatched(watched) }
  }

  @Test func `A pack that is installed for the first time reaches a waiting consumer`() async throws
  {
    let empty = try TemporaryDirectory()
    let app = try GuideApp(in: empty.url)
    let store = try app.store()
    let first = Task { [pack = app.pack] in
      for await generation in store.generations(of: pack) { return generation.name }
      return ""
    }
    await Task.yield()
    try app.install(.init(version: "1"))
    #expect(try await first.value == store.current(app.pack)?.name)
  }
}
