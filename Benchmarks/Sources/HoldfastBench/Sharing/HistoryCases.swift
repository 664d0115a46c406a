import Foundation
import Holdfast

/// Benchmarks of the cost of a change history for writers.
struct HistoryCases {
  private let count: Int
  private let tableCount: Int

  init(isShort: Bool) {
    count = isShort ? 20 : 2000
    tableCount = isShort ? 5 : 2000
  }

  var all: [Case] {
    [
      comparison("pool.write { one insert } with a history, against none", perWrite: 1),
      comparison("pool.write { 1000 inserts } with a history, against none", perWrite: 1000),
      Case(
        "ChangeHistory.changes, 1000 rows", unit: "ns/change", bound: nil, ours: fetch, floor: nil),
      Case(
        "random tables whose history missed a change, or returned a wrong one", unit: "tables",
        bound: .value(0), ours: campaign, floor: nil),
    ]
  }

  private func comparison(_ name: String, perWrite: Int) -> Case {
    Case(
      name, unit: "ns/insert", bound: nil, ours: inserts(perWrite: perWrite, hasHistory: true),
      floor: inserts(perWrite: perWrite, hasHistory: false))
  }

  /// Returns a probe of the time of an insertion into a table with a unique index.
  private func inserts(perWrite: Int, hasHistory: Bool) -> Probe {
    Probe { [count] countsAllocations in
      let file = try HistoryFile(hasHistory: hasHistory)
      let writes = max(1, perWrite == 1 ? count : count / 100)
      return try Probe.timed(per: writes * perWrite) {
        for write in 0..<writes {
          try file.pool.write { db in
            for row in 0..<perWrite { try file.insert(write * perWrite + row, db) }
          }
        }
        return { UInt64(try file.count()) }
      }.read(countsAllocations)
    }
  }

  private var campaign: Probe {
    let failureCount = Lazy { [tableCount] in
      // A new seed each time, so that each run tests other tables; a failure prints its seed.
      try (0..<tableCount).count { _ in
        var campaign = try HistoryCampaign(seed: .random(in: 0...UInt64.max))
        guard let failure = try campaign.run(steps: 40) else { return false }
        FileHandle.standardError.write(Data((failure + "\n").utf8))
        return true
      }
    }
    return Probe { _ in
      Reading(value: Double(try failureCount.value), allocations: nil, proof: 0)
    }
  }

  private var fetch: Probe {
    Probe { countsAllocations in
      let file = try HistoryFile(hasHistory: true)
      try file.pool.write { db in for row in 0..<1000 { try file.insert(row, db) } }
      return try Probe.timed(per: 1000) {
        let answer = try file.pool.read { db in try ChangeHistory.changes(db, after: nil) }
        return {
          guard case .changes(let changes, upTo: _) = answer else { return 0 }
          return UInt64(changes.count)
        }
      }.read(countsAllocations)
    }
  }
}

/// A file with a small table and the settings that apps use.
private final class HistoryFile {
  let pool: DatabasePool
  private let folder: URL

  init(hasHistory: Bool) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA synchronous = NORMAL") }
    configuration.historyAuthor = hasHistory ? "bench" : nil
    pool = try DatabasePool(
      path: folder.appending(path: "visits.db").path, configuration: configuration)
    try pool.write { db in
      try db.execute(
        sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, place INTEGER UNIQUE, note TEXT)")
      if hasHistory { try ChangeHistory.install(on: db, tables: ["visit"]) }
    }
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: folder)
  }

  func insert(_ number: Int, _ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO visit (place, note) VALUES (?, ?)", arguments: [number, "a short note"])
  }

  func count() throws -> Int {
    try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM visit") ?? 0 }
  }
}
