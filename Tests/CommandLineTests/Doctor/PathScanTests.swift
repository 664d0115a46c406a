import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct PathScanTests {
  /// Reads a database in parts of some pages, as a copy does.
  private func mayFindPaths(in file: URL, pageSize: Int) throws -> Bool {
    let bytes = Array(try Data(contentsOf: file))
    var scan = PathScan(pageSize: pageSize, fileByteCount: Int64(bytes.count))
    for start in stride(from: 0, to: bytes.count, by: 4 * pageSize) {
      scan.read(
        bytes.span.extracting(start..<min(start + 4 * pageSize, bytes.count)), at: Int64(start))
    }
    return scan.mayFindPaths
  }

  /// Values that continue on other pages are divided anywhere.
  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"], [512, 1024, 4096])
  func aPathIsFoundWhereverItsValueIsDivided(encoding: String, pageSize: Int) throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom()
    for anchor in ["ontainers", "pplications"] {
      for number in 0..<12 {
        let file = directory.file("\(anchor)\(number).db")
        let length = Int.random(in: 0...(3 * pageSize), using: &random)
        let value =
          String(repeating: "z", count: length) + anchor
          + String(repeating: "z", count: Int.random(in: 0...pageSize, using: &random))
        let isBlob = Bool.random(using: &random)
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA encoding = '\(encoding)'")
          try db.execute(sql: "CREATE TABLE t (a, b)")
          for text in ["z", value, "zz"] {
            let bytes = Data(text.unicodeScalars.flatMap { [0, UInt8($0.value)] })
            try db.execute(sql: "INSERT INTO t VALUES (1, ?)", arguments: [isBlob ? bytes : text])
          }
        }
        try queue.close()
        #expect(
          try mayFindPaths(in: file, pageSize: pageSize),
          "\(anchor) after \(length), blob: \(isBlob)")
      }
    }
  }

  @Test func aDatabaseWithoutPathsHasNone() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("a.db")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b);
          INSERT INTO t VALUES ('it contains an application', zeroblob(20000)), (1.5, NULL)
          """)
    }
    try queue.close()
    #expect(try !mayFindPaths(in: file, pageSize: 4096))
  }
}
