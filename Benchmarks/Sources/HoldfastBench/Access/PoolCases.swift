import Dispatch
import Foundation
import Holdfast
import Synchronization

/// Benchmarks of many small accesses to a pool, compared with transactions on a single connection.
struct PoolCases {
  private let full: PlaceFile
  private let written: PlaceFile
  private let large: LargeFile
  private let ids: [Int64]
  private let places: [Place]
  private let floorPlaces: FloorPlaces

  init(full: PlaceFile, ids: [Int64], places: [Place]) throws {
    self.full = full
    large = LargeFile(places)
    self.ids = Array(ids.prefix(max(100, ids.count / 10)))
    self.places = Array(places.prefix(max(100, ids.count / 10)))
    floorPlaces = FloorPlaces(self.places)
    // The setting of an app, where a commit does not wait for the disk either.
    written = try PlaceFile(synchronous: "NORMAL")
  }

  var all: [Case] {
    get throws {
      let session = try FloorSession(path: full.path, settings: full.settings)
      let writer = try FloorSession(path: written.path, settings: written.settings)
      return [
        reading("pool.read, blocking", bound: Self.blockingRead, session) { [full, ids] in
          try ids.compactMap { id in try full.pool.read { db in try Self.find(id, db) } }
        },
        reading("pool.read, awaited", bound: Self.twoWakeUps(.ratio(4)), session) {
          [pool = full.pool, ids] in
          try awaiting {
            var found: [Place] = []
            for id in ids {
              guard let place = try await pool.read({ db in try Self.find(id, db) })
              else { continue }
              found.append(place)
            }
            return found
          }
        },
        try besideWriter(session),
        writing("pool.write, one insert", bound: .ratio(1.15), writer) { pool, places in
          for place in places {
            try pool.write { db in
              try db.execute(sql: Place.insertion, arguments: place.arguments)
            }
          }
        },
        writing("pool.write, one Codable record", bound: .ratio(1.3), writer) {
          pool, places in
          for place in places {
            try pool.write { db in try place.insert(db) }
          }
        },
        writing("pool.write, one insert, awaited", bound: Self.twoWakeUps(.ratio(1.8)), writer) {
          pool, places in
          try awaiting {
            for place in places {
              try await pool.write { db in
                try db.execute(sql: Place.insertion, arguments: place.arguments)
              }
            }
          }
        },
        opening,
      ]
    }
  }

  private static func find(_ id: Int64, _ db: Database) throws -> Place? {
    try PlaceByIndex.fetchOne(db, sql: Place.lookup, arguments: [id])?.place
  }

  /// Returns the bound of an awaited access, which must not run on the cooperative thread pool.
  static func twoWakeUps(_ bound: Bound) -> Bound {
    bound.unreached(
      "an access on a queue of its own wakes two threads, itself and the task that goes on",
      profile: """
        both hops alone take 19 microseconds on an idle machine, on a queue and on a thread with a \
        semaphore alike, and less when the processors are busy; on a thread of tasks the same read \
        costs 1.9 of C's
        """)
  }

  private static var blockingRead: Bound {
    .ratio(1.3).unreached(
      "a statement of its own fixes what a read sees before its closure runs, as C does not",
      profile: """
        15276 instructions to C's 8694: 3483 the library, 1570 retaining, releasing and \
        allocating, 562 the loop and the record to C's 177, 263 the Strings; SQLite itself 7807 to \
        7021, the difference being that statement. The lookup alone is 8126 to 5267
        """)
  }

  private static var besideWriterRead: Bound {
    .ratio(1.5).unreached(
      "the readers run the same statements as the blocking read, and share the lock of the pool",
      profile: """
        each read costs 15276 instructions to C's 8694, as in the blocking read, and locks the \
        pool's state twice, to take a connection and to give it back
        """)
  }

  // MARK: - Kinds of work

  private func reading(
    _ name: String, bound: Bound, _ session: FloorSession, _ read: @escaping () throws -> [Place]
  ) -> Case {
    Case(
      name, unit: "ns/read", bound: bound,
      ours: .timed(per: ids.count) {
        let found = try read()
        return { PlaceDigest(found).value }
      },
      floor: .timed(per: ids.count) {
        let places = try session.read(ids)
        return { places.digest }
      })
  }

  private func writing(
    _ name: String, bound: Bound, _ session: FloorSession,
    _ write: @escaping (DatabasePool, [Place]) throws -> Void
  ) -> Case {
    Case(
      name, unit: "ns/write", bound: bound,
      ours: .timed(per: places.count) {
        try write(written.pool, places)
        return written.takeAll
      },
      floor: .timed(per: places.count) {
        try session.write(floorPlaces)
        return written.takeAll
      })
  }

  /// Returns a case with three threads on what are often two processors.
  ///
  /// Each thread does a fixed amount of work, in many short runs, because the times depend much on
  /// the order in which the threads get processors and locks.
  private func besideWriter(_ first: FloorSession) throws -> Case {
    let second = try FloorSession(path: full.path, settings: full.settings)
    let writing = try FloorSession(path: full.path, settings: full.settings)
    let ids = Array(ids.prefix(max(100, ids.count / 4)))
    return Case(
      "two readers beside a writer", unit: "ns/read", bound: Self.besideWriterRead, rounds: 3,
      ours: .timed(per: ids.count * 2) {
        let found = try readBesideWriter(ids)
        return { found }
      },
      floor: .timed(per: ids.count * 2) {
        let found = writing.write(beside: first, second, reading: ids)
        return { found }
      })
  }

  private func readBesideWriter(_ ids: [Int64]) throws -> UInt64 {
    let progress = Progress()
    let pool = full.pool
    let threads = DispatchGroup()
    Thread.start(in: threads) {
      progress.attempt {
        // Enough writes to keep it busy as long as the readers.
        for id in ids.prefix(ids.count / 4) {
          try pool.write { db in
            try db.execute(sql: "UPDATE place SET flag = flag WHERE id = ?", arguments: [id])
          }
        }
      }
    }
    for _ in 0..<2 {
      Thread.start(in: threads) {
        progress.attempt {
          let found = try ids.compactMap { id in try pool.read { db in try Self.find(id, db) } }
          progress.found.wrappingAdd(UInt64(found.count), ordering: .relaxed)
        }
      }
    }
    threads.wait()
    if let failure = progress.failure.withLock({ $0 }) { throw failure }
    return progress.found.load(ordering: .relaxed)
  }

  /// The state that the threads of one run share.
  private final class Progress: Sendable {
    let found = Atomic<UInt64>(0)
    let failure = Mutex<(any Error)?>(nil)

    func attempt(_ body: () throws -> Void) {
      do {
        try body()
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  private var opening: Case {
    Case(
      "open a pool and read once", unit: "ns/opening", bound: .ratio(1.3),
      ours: Probe { countsAllocations in
        let path = try large.path
        return try Probe.timed(per: 1) {
          let pool = try DatabasePool(path: path)
          let place = try pool.read { db in try Self.find(1, db) }
          return {
            try pool.close()
            return PlaceDigest(CollectionOfOne(place).compactMap(\.self)).value
          }
        }.read(countsAllocations)
      },
      floor: Probe { countsAllocations in
        let path = try large.path
        return try Probe.timed(per: 1) {
          let first = try FloorSession(path: path, settings: "PRAGMA journal_mode=WAL")
          let second = try FloorSession(path: path, settings: "PRAGMA query_only=1")
          let places = try second.read([1])
          return { withExtendedLifetime((first, second)) { places.digest } }
        }.read(countsAllocations)
      })
  }
}

extension Thread {
  /// Starts a thread that belongs to the group until it ends.
  fileprivate static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}

/// A file of 50 MB, created on first use.
private final class LargeFile {
  private let places: [Place]
  private var file: PlaceFile?

  init(_ places: [Place]) {
    self.places = places
  }

  var path: String {
    get throws {
      if let file { return file.path }
      let file = try PlaceFile()
      try file.floor.insert(FloorPlaces(places))
      // Copies the rows in one statement, far faster than one by one.
      let count = 765_000
      try file.floor.execute(
        """
        WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < \(count))
        INSERT INTO place
        SELECT n, name, code, lat, lon, flag
        FROM copy JOIN place ON id = 1 + n % \(places.count) WHERE n > \(places.count)
        """)
      try file.floor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      self.file = file
      return file.path
    }
  }
}
