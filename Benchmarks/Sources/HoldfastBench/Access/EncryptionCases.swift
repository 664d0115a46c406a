import Foundation
import Holdfast

/// The benchmark of opening an encrypted database again, which is compared with a plain one.
///
/// It runs where the benchmarks are built with the trait `SQLCipher`.
struct EncryptionCases {
  var all: [Case] {
    let isEncrypted = Lazy { try ReopenedFile(key: Data(repeating: 7, count: 32)) }
    let isPlain = Lazy { try ReopenedFile(key: nil) }
    return [
      Case(
        "encrypted: resume, open and read once, against plain", unit: "ns/opening",
        bound: .ratio(2), ours: reopening(isEncrypted), floor: reopening(isPlain)
      ) {
        ReopenedFile.canEncrypt ? nil : "not run, because it needs `make bench CIPHER=1`"
      }
    ]
  }

  /// Returns a probe of the time from the resume to the first row, connections being closed before.
  private func reopening(_ file: Lazy<ReopenedFile>) -> Probe {
    Probe { countsAllocations in
      let pool = try file.value.pool
      let count = 100
      var times = 0.0
      var proof: UInt64 = 0
      for _ in 0..<count {
        pool.suspend()
        let start = Stopwatch.now
        pool.resume()
        let name = try pool.read { db in
          try String.fetchOne(db, sql: "SELECT name FROM place WHERE id = 1")
        }
        times += Stopwatch.now - start
        proof += UInt64(name?.utf8.count ?? 0)
      }
      return Reading(value: times / Double(count), allocations: nil, proof: proof)
    }
  }
}

/// A database that is closed and opened again, encrypted or not.
private final class ReopenedFile {
  let pool: DatabasePool
  private let folder: URL

  /// Whether the benchmarks are built with SQLCipher.
  static var canEncrypt: Bool {
    #if SQLCipher
      true
    #else
      false
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
    pool = try DatabasePool(
      path: folder.appending(path: "places.db").path, configuration: configuration)
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
