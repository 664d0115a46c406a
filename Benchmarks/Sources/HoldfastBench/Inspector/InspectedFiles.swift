import Foundation
import Holdfast

/// What the inspector's benchmarks look at, which is made once and kept.
enum InspectedFiles {
  /// Returns a container of 1 GB in 2,000 files, 100 of them databases.
  static func container(isShort: Bool) throws -> URL {
    let size: (databases: Int, files: Int, bytes: Int) =
      isShort ? (2, 20, 1000) : (100, 1900, 520_000)
    return try kept("inspected-container\(isShort ? "-short" : "")") { folder in
      let documents = folder.appending(path: "Documents")
      for number in 0..<size.files {
        let folder = documents.appending(path: "media/\(number % 40)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var random = SeededRandom(unprinted: UInt64(number))
        let bytes = Data((0..<size.bytes).map { _ in UInt8.random(in: 0...255, using: &random) })
        try bytes.write(to: folder.appending(path: "\(number).jpg"))
      }
      for number in 0..<size.databases {
        let queue = try DatabaseQueue(path: documents.appending(path: "\(number).sqlite").path)
        try queue.write { db in
          try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
          for row in 0..<100 {
            try db.execute(sql: "INSERT INTO note VALUES (?, 'text')", arguments: [row])
          }
        }
        try queue.close()
      }
    }
  }

  /// Returns a database with a table of 10 million rows.
  static func table(isShort: Bool) throws -> URL {
    let count = rowCount(isShort: isShort)
    let folder = try kept("inspected-table-\(count)") { folder in
      let queue = try DatabaseQueue(path: folder.appending(path: "a.sqlite").path)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE visit (id INTEGER PRIMARY KEY, name TEXT, at REAL, note TEXT);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO visit SELECT i, 'Harbour wharf ' || i, i * 1.5, NULL FROM n
            """)
      }
      try queue.close()
    }
    return folder.appending(path: "a.sqlite")
  }

  /// The number of the table's rows.
  static func rowCount(isShort: Bool) -> Int { isShort ? 1000 : 10_000_000 }

  /// Returns a folder that is made once: it gets its name when it is complete.
  private static func kept(_ name: String, _ make: (URL) throws -> Void) throws -> URL {
    let parent = try BenchFolder.url("inspected")
    let folder = parent.appending(path: name)
    if FileManager.default.fileExists(atPath: folder.path) { return folder }
    let unfinished = parent.appending(path: "\(UUID()).unfinished")
    try FileManager.default.createDirectory(
      at: unfinished.appending(path: "Documents"), withIntermediateDirectories: true)
    try make(unfinished)
    try FileManager.default.moveItem(at: unfinished, to: folder)
    return folder
  }
}
