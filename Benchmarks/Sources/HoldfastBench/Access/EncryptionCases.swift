import Foundation
import Holdfast

/// The benchmarks of opening an encrypted database again, compared with a plain one and with C.
///
/// They run where the benchmarks are built with the trait `SQLCipher`.
struct EncryptionCases {
  private static let key = Data(repeating: 7, count: 32)

  var all: [Case] {
    let isEncrypted = Lazy { try ReopenedFile(key: Self.key) }
    let isPlain = Lazy { try ReopenedFile(key: nil) }
    let name = "encrypted: resume, open and read once"
    return [
      Case(
        name + ", against plain", unit: "ns/opening", bound: .ratio(2),
        ours: reopening(isEncrypted), floor: reopening(isPlain), absence: ReopenedFile.missingTrait),
      Case(
        name + ", against C", unit: "ns/opening", bound: nil, ours: reopening(isEncrypted),
        floor: opening(isEncrypted), absence: ReopenedFile.missingTrait),
    ]
  }

  /// Returns a probe of the time from the resume to the first row, connections being closed before.
  private func reopening(_ file: Lazy<ReopenedFile>) -> Probe {
    perOpening {
      let pool = try file.value.pool
      pool.suspend()
      return {
        pool.resume()
        let place = try pool.read { db in
          try PlaceByIndex.fetchOne(db, sql: Place.lookup, arguments: [1])?.place
        }
        return { PlaceDigest(CollectionOfOne(place).compactMap(\.self)).value }
      }
    }
  }

  /// Returns a probe of opening a writer and a reader in C, and reading one row.
  private func opening(_ file: Lazy<ReopenedFile>) -> Probe {
    let digits = Self.key.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
    let key = "PRAGMA key = \"x'\(digits.joined())'\";"
    return perOpening {
      let path = try file.value.path
      // Neither side finds a connection of the other.
      try file.value.pool.suspend()
      return {
        let writer = try FloorSession(path: path, settings: key + "PRAGMA journal_mode=WAL")
        let reader = try FloorSession(path: path, settings: key + "PRAGMA query_only=1")
        let places = try reader.read([1])
        return { withExtendedLifetime((writer, reader)) { places.digest } }
      }
    }
  }

  /// Returns a probe of many openings, without what is done before and after each.
  private func perOpening(
    _ prepare: @escaping () throws -> () throws -> () throws -> UInt64
  ) -> Probe {
    Probe { _ in
      let count = 100
      var times = 0.0
      var proof: UInt64 = 0
      for _ in 0..<count {
        let open = try prepare()
        let start = Stopwatch.now
        let digest = try open()
        times += Stopwatch.now - start
        proof &+= try digest()
      }
      return Reading(value: times / Double(count), allocations: nil, proof: proof)
    }
  }
}

/// A database that is closed and opened again, encrypted or not.
private final class ReopenedFile {
  let pool: DatabasePool
  let path: String
  private let folder: URL

  /// Returns why no database is encrypted; `nil` if the benchmarks are built with SQLCipher.
  static func missingTrait() -> String? {
    #if SQLCipher
      nil
    #else
      "not run, because it needs `make bench CIPHER=1`"
    #endif
  }

  /// Creates a database of a thousand places, encrypted with a raw key unless that is `nil`.
  init(key: Data?) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "holdfast-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = Configuration()
    configuration.allowsSuspension = true
    configuration.prepareDatabase { db in
      #if SQLCipher
        if let key { try db.useKey(.raw(key)) }
      #endif
    }
    path = folder.appending(path: "places.db").path
    pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: Place.schema)
      for number in 1...1000 { try Place(number: number).insert(db) }
    }
    // Each opening reads the database's own pages, and not those of a log.
    try pool.checkpoint(.truncate)
  }

  deinit {
    try? pool.close()
    try? FileManager.default.removeItem(at: folder)
  }
}
