import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Synchronization
import Testing

/// Openings of the user's database against switches of the pack.
@Suite struct SeedSwitchConcurrencyTests {
  let directory: TemporaryDirectory
  let app: GuideApp

  init() throws {
    directory = try TemporaryDirectory()
    app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
  }

  private static func ordinal(
    of name: SystemCalls.Name, _ index: Int = 0, _ body: () throws -> Void
  ) throws -> Int {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    try SystemCalls.$fault.withValue(trace) { try body() }
    let calls = trace.callsSeen
    return try #require(calls.indices.filter { calls[$0] == name }.dropFirst(index).first) + 1
  }

  /// An opening that waited for the lock works with the seed that is current when it has the lock.
  @Test func `An opening that was overtaken by an upgrade uses the newer seed`() throws {
    try app.openArt().pool.close()
    let app = app
    // Before the opening lock is taken.
    let ordinal = try Self.ordinal(of: .flock) { try app.openArt().pool.close() }
    let fault = SystemFault(
      atCall: ordinal,
      .overtake {
        SystemCalls.$fault.withValue(nil) {
          do {
            try app.install(.init(version: "2", userVersion: 2))
            try app.openArt().pool.close()
          } catch {
            Issue.record(error)
          }
        }
      })
    let seeded = try SystemCalls.$fault.withValue(fault) { try app.openArt() }
    #expect(fault.hasStruck)
    #expect(seeded.origin == .kept)
    #expect(try seeded.pool.read { db in try db.headerNumber(.userVersion) } == 2)
  }

  private var openingLock: FilePath {
    get throws { try FilePath(of: app.art).sibling(".art.sqlite.opening") }
  }

  #if !canImport(Darwin)
    /// No merge happens between the check of a rollback and its switch.
    @Test func `A rollback holds the opening lock until it has switched`() async throws {
      try app.openArt().pool.close()
      try app.install(.init(version: "2", userVersion: 2))
      let store = try app.store()
      let pack = app.pack
      let file = try openingLock
      let states = Mutex<[Bool]>([])
      let trace = SystemFault(atCall: .max, .fail(.inputOutput))
      _ = try await SystemCalls.$fault.withValue(trace) { try await store.rollback(pack) }
      let rename = try #require(trace.callsSeen.firstIndex(of: .rename))
      _ = try await store.switchTo(
        #require(try store.installedGenerations(of: pack).last).name, of: pack)
      let fault = SystemFault(
        atCall: rename + 1,
        .overtake {
          SystemCalls.$fault.withValue(nil) {
            do throws(FileError) {
              try FileLock(at: URL(filePath: file.text)).release()
              states.withLock { $0.append(true) }
            } catch {
              states.withLock { $0.append(error.code != .busy) }
            }
          }
        })
      _ = try await SystemCalls.$fault.withValue(fault) { try await store.rollback(pack) }
      #expect(states.withLock { $0 } == [false])
      #expect(try store.current(pack)?.manifest.version.description == "1")
      try FileLock(at: URL(filePath: file.text)).release()
    }

    @Test func `A rollback does not pass an opening in another process`() async throws {
      try app.openArt().pool.close()
      try app.install(.init(version: "2", userVersion: 2))
      var configuration = try app.store().configuration
      configuration.waitLimit = .milliseconds(20)
      let store = PackStore(try PackName("Festival"), configuration: configuration)
      let lock = try FileLock(at: URL(filePath: openingLock.text))
      let error = await #expect(throws: SharingError.self) { try await store.rollback(app.pack) }
      #expect(error?.code == .busy)
      #expect(try store.current(app.pack)?.manifest.version.description == "2")
      lock.release()
      _ = try await store.rollback(app.pack)
      #expect(try store.current(app.pack)?.manifest.version.description == "1")
    }

    /// Law 5: a suspension leaves neither lock nor connection, whenever it comes.
    @Test func `A suspension ends the locks of a rollback, which is done after the resume`()
      async throws
    {
      try app.openArt().pool.close()
      try app.install(.init(version: "2", userVersion: 2))
      let store = try app.store()
      let pack = app.pack
      let newer = try #require(try store.current(pack)?.name)
      let files = try [openingLock, FilePath(of: app.folder).appending([".lock"])]
      let trace = SystemFault(atCall: .max, .fail(.inputOutput))
      _ = try await SystemCalls.$fault.withValue(trace) { try await store.rollback(pack) }
      let calls = trace.callsSeen
      let first = try #require(calls.firstIndex(of: .flock))
      let last = try #require(calls.firstIndex(of: .rename))
      #expect(first < last)
      for ordinal in (first + 1)...(last + 1) {
        _ = try await store.switchTo(newer, of: pack)
        let isFree = Mutex<[Bool]>([])
        let isDone = Gate()
        let fault = SystemFault(
          atCall: ordinal,
          .overtake {
            Thread.detachNewThread {
              store.suspend()
              isFree.withLock {
                $0 = files.map { (try? FileLock(at: URL(filePath: $0.text))) != nil }
              }
              store.resume()
              isDone.open()
            }
          })
        _ = try await SystemCalls.$fault.withValue(fault) { try await store.rollback(pack) }
        try await onOwnThread { isDone.wait() }
        #expect(isFree.withLock { $0 } == [true, true])
        #expect(try store.current(pack)?.manifest.version.description == "1")
      }
    }
  #endif
}
