import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

/// A process ends at each call of the first start and of a merge.
@Suite struct SeedingCrashTests {
  /// Opens the database in another process that ends at a call of ours.
  private func crash(at call: Int, _ folder: URL) async throws {
    await #expect(processExitsWith: .exitCode(77)) { [folder = folder as URL, call = call as Int] in
      let app = try GuideApp(in: folder)
      try SystemCalls.$fault.withValue(SystemFault(atCall: call, .exit(status: 77))) {
        _ = try app.openArt()
      }
    }
  }

  @Test func `After an end at any call the next start has a complete database`() async throws {
    let rehearsal = try TemporaryDirectory()
    let twin = try GuideApp(in: rehearsal.url)
    try twin.install(.init(version: "1", art: ["Compass", "Whale"]))
    let counter = SystemFault(atCall: .max, .fail(.noSpace))
    try SystemCalls.$fault.withValue(counter) { _ = try twin.openArt() }
    // The calls between two changes of the disk leave the same files behind.
    let changing: Set<SystemCalls.Name> = [
      .write, .fsync, .rename, .renameat2, .unlink, .mkdir, .fchmod, .setxattr, .symlink, .mknod,
      .ftruncate, .link,
    ]
    let calls = counter.callsSeen.enumerated().filter { changing.contains($0.element) }
    #expect(calls.contains { $0.element == .renameat2 })
    for (index, name) in calls {
      let directory = try TemporaryDirectory()
      let app = try GuideApp(in: directory.url)
      try app.install(.init(version: "1", art: ["Compass", "Whale"]))
      try await crash(at: index + 1, directory.url)
      let seeded = try app.openArt()
      let art = try await seeded.pool.read { try GuideApp.art($0) }
      #expect(art == ["Compass", "Whale"], "after \(name), call \(index + 1)")
      try seeded.pool.close()
      let names = try FileManager.default.contentsOfDirectory(
        atPath: app.art.deletingLastPathComponent().path)
      #expect(names.allSatisfy { !$0.contains("~seeding~") }, "\(names) after \(name)")
    }
  }

  @Test func `A process killed inside a merge has merged nothing`() async throws {
    let directory = try TemporaryDirectory()
    let app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
    let first = try app.openArt()
    try GuideApp.add("Own", to: first.pool)
    try first.pool.close()
    try app.install(.init(version: "2", art: ["Compass", "Whale"], userVersion: 2))
    await #expect(processExitsWith: .signal(SIGKILL)) { [url = directory.url as URL] in
      let app = try GuideApp(in: url)
      _ = try app.openArt { db, _ in
        try db.execute(sql: "DELETE FROM art")
        kill(getpid(), SIGKILL)
      }
    }
    let seeded = try app.openArt { db, merge in
      #expect(merge.fromVersion == 1)
      let art = try GuideApp.art(db)
      #expect(art == ["Compass", "Own"])
    }
    #expect(seeded.origin == .merged(SeedMerge(fromVersion: 1, toVersion: 2)))
  }

  private func leftovers(of app: GuideApp) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: app.art.deletingLastPathComponent().path
    ).filter { $0.contains("~seeding~") }
  }

  /// Opens the database in a process that is killed while it carries data over, and leaves a copy and a journal.
  private func killInACarryOver(_ folder: URL) async throws -> GuideApp {
    let app = try GuideApp(in: folder)
    try app.install(.init(version: "1"))
    let previous = folder.appending(path: "previous.sqlite")
    let queue = try DatabaseQueue(path: previous.path)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE art (name TEXT)") }
    try queue.close()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as URL, previous = previous as URL] in
      let app = try GuideApp(in: folder)
      let carryOver = SeedCarryOver(from: previous) { db in
        try db.execute(sql: "INSERT INTO art (name) VALUES ('Own')")
        kill(getpid(), SIGKILL)
      }
      _ = try await app.store().openSeeded("art.sqlite", of: app.pack, carryingOver: carryOver) {
        _, _ in
      }
    }
    let left = try leftovers(of: app)
    #expect(left.contains { $0.hasSuffix("-journal") } && left.count == 2, "\(left)")
    return app
  }

  @Test func `A killed carry-over leaves nothing after the next start`() async throws {
    let directory = try TemporaryDirectory()
    let app = try await killInACarryOver(directory.url)
    let seeded = try app.openArt()
    #expect(seeded.origin == .created)
    #expect(try leftovers(of: app) == [])
  }

  /// Such as a restored database: it was opened, and the copy stayed for ever.
  @Test func `A killed carry-over leaves nothing next to a database that is there meanwhile`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let other = try TemporaryDirectory()
    let twin = try GuideApp(in: other.url)
    try twin.install(.init(version: "1"))
    let restored = try twin.openArt()
    try GuideApp.add("Restored", to: restored.pool)
    try restored.pool.close()
    let app = try await killInACarryOver(directory.url)
    try FileManager.default.copyItem(at: twin.art, to: app.art)
    let seeded = try app.openArt()
    #expect(seeded.origin == .kept)
    let art = try await seeded.pool.read { try GuideApp.art($0) }
    #expect(art == ["Compass", "Restored"])
    #expect(try leftovers(of: app) == [])
  }

  /// After a loss of power the journal of the carry-over could be back, for ever.
  @Test func `What SQLite left next to a copy is gone before the copy has its name`() throws {
    let directory = try TemporaryDirectory()
    let app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
    let previous = directory.url.appending(path: "previous.sqlite")
    let queue = try DatabaseQueue(path: previous.path)
    try queue.write { db in try db.execute(sql: "CREATE TABLE art (name TEXT)") }
    try queue.close()
    let trace = SystemFault(atCall: .max, .fail(.noSpace))
    try SystemCalls.$fault.withValue(trace) {
      let carryOver = SeedCarryOver(from: previous) { db in
        try db.execute(sql: "INSERT INTO art (name) VALUES ('Own')")
      }
      let seeded = try app.store().openSeeded(
        "art.sqlite", of: app.pack, carryingOver: carryOver
      ) { _, _ in }
      #expect(seeded.origin == .carriedOver)
      try seeded.pool.close()
    }
    // The copy is synced twice, and then the folder, from which SQLite has removed its journal.
    let name = try #require(trace.callsSeen.firstIndex(of: .renameat2))
    let before = trace.callsSeen[..<name].filter { [.fsync, .write].contains($0) }
    #expect(before.reversed().prefix { $0 == .fsync }.count >= 3, "\(trace.callsSeen)")
  }

  @Test func `A full disk at the first start leaves no database`() throws {
    let directory = try TemporaryDirectory()
    let app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
    for name in [SystemCalls.Name.write, .fsync, .renameat2] {
      let fault = SystemFault(atCall: 1, .refuse([name: .noSpace]))
      #expect(throws: (any Error).self) {
        try SystemCalls.$fault.withValue(fault) {
          try app.openArt()
        }
      }
      #expect(!FileManager.default.fileExists(atPath: app.art.path))
    }
    let seeded = try app.openArt()
    #expect(seeded.origin == .created)
  }
}
