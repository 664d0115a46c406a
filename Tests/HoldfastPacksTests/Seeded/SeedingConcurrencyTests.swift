import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

@Suite struct SeedingConcurrencyTests {
  @Test func `Processes that start at once get one database and one merge`() async throws {
    let directory = try TemporaryDirectory()
    let app = try GuideApp(in: directory.url)
    for version in 1...2 {
      try app.install(.init(version: "\(version)", userVersion: Int32(version)))
      await withTaskGroup { group in
        for number in 1...4 {
          group.addTask { [url = directory.url] in
            await #expect(processExitsWith: .success) {
              [url = url as URL, number = number as Int] in
              let app = try GuideApp(in: url)
              let seeded = try app.openArt { db, _ in
                try db.execute(sql: "INSERT INTO art (name) VALUES ('merged')")
              }
              try GuideApp.add("own \(number)", to: seeded.pool)
              try seeded.pool.close()
            }
          }
        }
      }
    }
    let queue = try DatabaseQueue(path: app.art.path)
    let art = try await queue.read { try GuideApp.art($0) }
    #expect(art.filter { $0 == "merged" }.count == 1)
    #expect(art.filter { $0.hasPrefix("own") }.count == 8)
    #expect(art.filter { $0 == "Compass" }.count == 1)
  }

  /// The lock is released by a suspension while the seed is copied; another process then creates
  /// the database, and the user writes to it.
  @Test func `A process that lost the lock does not replace a database that another one made`()
    throws
  {
    func open(_ app: GuideApp, _ fault: SystemFault) throws -> SeededDatabase {
      try SystemCalls.$fault.withValue(fault) {
        try app.openArt()
      }
    }
    let rehearsal = try TemporaryDirectory()
    let twin = try GuideApp(in: rehearsal.url)
    try twin.install(.init(version: "1"))
    let counter = SystemFault(atCall: .max, .fail(.noSpace))
    #expect(try open(twin, counter).origin == .created)
    let rename = try #require(counter.callsSeen.firstIndex(of: .renameat2)) + 1

    let directory = try TemporaryDirectory()
    let app = try GuideApp(in: directory.url)
    try app.install(.init(version: "1"))
    let fault = SystemFault(
      atCall: rename,
      .overtake {
        // What another process has made meanwhile.
        do {
          let queue = try DatabaseQueue(path: app.art.path)
          try queue.write { db in
            try db.setHeaderNumber(.applicationID, to: GuideApp.applicationID)
            try db.setHeaderNumber(.userVersion, to: 1)
            try db.execute(
              sql: "CREATE TABLE art (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
            try db.execute(sql: "INSERT INTO art (name) VALUES ('Own')")
          }
          try queue.close()
        } catch {
          Issue.record(error)
        }
      })
    let seeded = try open(app, fault)
    #expect(seeded.origin == .kept)
    #expect(try seeded.pool.read(GuideApp.art) == ["Own"])
  }
}
