import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// One more than each of the limits of reading is refused, soon and with an error.
@Suite(.timeLimit(.minutes(3))) struct ReadingLimitTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: ReadingLimit.all) func oneMoreIsRefused(limit: ReadingLimit) throws {
    let feed = try #require(Self.feeds[limit], "Nothing feeds one more to \(limit).")
    try feed(self, limit.most)
  }

  /// What feeds one more, and expects the refusal.
  private static let feeds: [ReadingLimit: @Sendable (Self, Int) throws -> Void] = [
    .packCurrent: { test, most in
      for (count, content) in [(most, CurrentFile.Content.unreadable), (most + 1, .foreign)] {
        try test.write(count, to: "current")
        let folder = PackFolder(try FilePath(of: test.directory.url))
        #expect(try CurrentFile.content(of: folder) == content)
      }
    },
    .packManifest: { test, most in
      try test.write(most + 1, to: "pack.json")
      #expect(throws: (any Error).self) { try PackManifest(of: test.directory.url) }
    },
    .timetableCurrent: { test, most in
      try test.write(most + 1, to: "current")
      let error = try test.refusal("transit", "days", ".")
      #expect(error.contains("current"))
    },
    .timetable: { _, _ in
      let place = try Workplace()
      let queue = try DatabaseQueue(path: place.directory.file("harbour.db").path)
      try queue.write { db in
        try db.execute(
          sql: """
            ALTER TABLE routes RENAME TO old_routes;
            CREATE VIEW routes AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT old_routes.* FROM n JOIN old_routes ON n.i < 0
            """)
      }
      try queue.close()
      let result = try place.run("transit", "routes", "harbour.db")
      #expect(result.status == 65 && result.errors.contains("to its end"), "\(result.errors)")
    },
    .feedMessage: { test, most in
      try test.write(most + 1, to: "a.pb")
      #expect(try test.refusal("transit", "live", "a.pb").contains("64 MiB"))
    },
    .feedMessageUpdates: { test, most in
      let trips = (most + 1) / 5000 + 1
      try test.writeMessage(trips: trips, stops: 5000)
      #expect(try test.refusal("transit", "live", "a.pb").contains("750000 updates"))
    },
    .tripStops: { test, most in
      try test.writeMessage(trips: 1, stops: most + 1)
      #expect(try test.refusal("transit", "live", "a.pb").contains("one trip"))
    },
    .openGroups: { test, most in
      // Groups of the field 16, which are no text.
      let groups = [[UInt8]](repeating: [0x83, 0x01], count: most + 1)
      try Data(groups.joined()).write(to: test.directory.file("a.pb"))
      #expect(try test.refusal("transit", "live", "a.pb").contains("group"))
    },
    .archiveEntries: { test, most in
      try test.writeArchive(entries: most + 1)
      #expect(try test.refusal("transit", "report", "a.zip").contains("\(most)"))
    },
    .locations: { test, most in
      let folder = test.directory.file("feed")
      try FileManager.default.copyItem(at: PackageFolder.portMerrow, to: folder)
      try Data(count: most + 1).write(to: folder.appending(path: "locations.geojson"))
      let result = try test.run("transit", "report", "feed")
      #expect(result.output.contains("\(most) bytes"), "\(result.output)")
    },
    .tilesetValue: { test, most in
      try test.expectNoTileset("INSERT INTO metadata VALUES ('a', zeroblob(\(most + 1)))")
    },
    .tilesetRows: { test, most in
      try test.expectNoTileset(
        "\(numbers(to: most + 1)) INSERT INTO metadata SELECT 'a', i FROM n")
    },
    .tilesetList: { test, most in
      try test.expectNoTileset(
        "INSERT INTO metadata VALUES ('', substr(hex(zeroblob(\(most / 2 + 1))), 1, \(most + 1)))")
    },
    .tilesetJSON: { test, most in
      try test.expectNoTileset(
        """
        \(numbers(to: most)) INSERT INTO metadata
        SELECT 'json', '[' || group_concat('1') || ',1]' FROM n
        """)
    },
    .tilesetOpening: { test, _ in
      try test.expectNoTileset(
        """
        DROP TABLE metadata; CREATE VIEW metadata AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT 'a' name, i value FROM n WHERE i < 0
        """)
    },
    .tileContent: { test, most in
      try test.expectProblem("more than 64 MiB", ofTile: longContent(most + 1))
    },
    .tileParts: { test, most in
      let feature = VectorTileBytes.bytes(2, [])
      let features = repeatElement(feature, count: most).flatMap(\.self)
      let tile = VectorTileBytes.tile(VectorTileBytes.layer(features: []) + features)
      try test.expectProblem("more than 2000000 layers", ofTile: tile)
    },
    .archiveDirectory: { test, most in
      let count = most + 1
      let ones = [UInt8](repeating: 1, count: count)
      // The numbers, the runs, the lengths and the places of the entries.
      try test.writeArchive(
        directory: number(count) + ones + ones + ones + [1]
          + [UInt8](repeating: 0, count: count - 1))
      #expect(
        try test.refusal("map", "convert", "a.pmtiles", "b.mbtiles").contains("\(count) entries"))
    },
    .convertedTiles: { test, most in
      // One entry for so many equal tiles.
      try test.writeArchive(directory: [1, 0] + number(most + 1) + [1, 1])
      #expect(
        try test.refusal("map", "convert", "a.pmtiles", "b.mbtiles").contains(
          "more than \(most) tiles"))
    },
    .styleDepth: { test, most in
      for depth in [most - 1, most] {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        try Data(#"{"a":\#(text)}"#.utf8).write(to: test.directory.file("a.json"))
        let result = try test.run("map", "style", "a.json", "out.json")
        #expect(result.errors.contains("nested") == (depth == most), "\(result.errors)")
      }
    },
    .style: { test, most in
      try test.write(most + 1, to: "a.json")
      _ = try test.refusal("map", "style", "a.json", "out.json")
    },
    .rowChange: { test, _ in
      let copy = try ContainerCopy()
      try copy.write("one", to: "Documents/one.m4b")
      try copy.database(FilesTests.database) { db in
        try db.execute(
          sql: FilesTests.table + """
            INSERT INTO local_audio_file_downloads
            VALUES ('1', 1, '\(ContainerCopy.device)/Documents/one.m4b', 1, 1);
            CREATE TRIGGER endless AFTER UPDATE ON local_audio_file_downloads BEGIN SELECT (
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n);
            END
            """)
      }
      let words = ["files", "repair", copy.folder.path, "--dry-run", "--dialect", "documents"]
      let result = try ToolProcess.run(words: words)
      #expect(result.status == 65 && result.errors.contains("steps"), "\(result.errors)")
    },
    .propertyList: { test, most in
      try test.expectNotExamined(BinaryPropertyList.magic, count: most + 1)
    },
    .propertyListObjects: { test, most in
      func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(value >> (56 - 8 * $0) & 0xFF) } }
      let offsets = [UInt8](repeating: 8, count: most + 1)
      let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 8] + number(most + 1) + number(0) + number(9)
      let bytes = BinaryPropertyList.magic + [0x50] + offsets + trailer
      try test.expectNotExamined(bytes, count: bytes.count)
    },
    .examinedMemory: { test, most in
      let path = test.directory.file("a.db").path(percentEncoded: false)
      let queue = try DatabaseQueue(path: path)
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE VIEW v (id, text) AS SELECT 1, hex(zeroblob(\(most / 2)));
            CREATE VIRTUAL TABLE f USING fts5(text, content='v', content_rowid='id')
            """)
      }
      try queue.close()
      #expect(try test.refusal("db", "check", "a.db").contains("too large"))
    },
    .storedValue: { test, most in
      let copy = try ContainerCopy()
      // A path of so many letters would take long.
      let path = "\(ContainerCopy.device)/Documents/gone.m4b\n"
      try copy.database("Documents/a.sqlite") { db in
        try db.execute(sql: "CREATE TABLE t (a TEXT, b BLOB, c BLOB)")
        for count in [most, most + 1] {
          let text = path + String(repeating: "x", count: count - path.utf8.count)
          try db.execute(
            sql: "INSERT INTO t VALUES (?, ?, zeroblob(?))",
            arguments: [text, Data(text.utf8), count])
        }
      }
      for (name, count) in [("most", most), ("more", most + 1)] {
        let text = path + String(repeating: "x", count: count - path.utf8.count)
        try copy.writeList(
          ["a": [Data(text.utf8)]], to: "Documents/\(name).plist", format: .xml)
      }
      let all = try copy.doctor("--json").findings.filter { !$0.hasPrefix("dead") }
      #expect(
        Set(all.filter { $0.contains(".plist a") }) == [
          "absolute_path Documents/most.plist a[]", "unknown_reference Documents/most.plist a[]",
          "not_examined Documents/more.plist a[]",
        ])
      let found = all.filter { $0.contains("sqlite t ") }
      #expect(
        found == [
          "absolute_path Documents/a.sqlite t a", "absolute_path Documents/a.sqlite t b",
          "unknown_reference Documents/a.sqlite t a", "unknown_reference Documents/a.sqlite t b",
          "not_examined Documents/a.sqlite t a", "not_examined Documents/a.sqlite t b",
          "not_examined Documents/a.sqlite t c",
        ])
    },
  ]

  private static func numbers(to last: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(last))"
  }

  // MARK: - Files

  /// Writes a file of so many spaces; a long one is sparse.
  private func write(_ count: Int, to name: String) throws {
    let file = directory.file(name)
    guard count > 1 << 20 else {
      return try Data(repeating: UInt8(ascii: " "), count: count).write(to: file)
    }
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(count))
    try handle.close()
  }

  private func writeMessage(trips: Int, stops: Int) throws {
    func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
      var (length, count) = ([UInt8](), content.count)
      while count >= 0x80 {
        length.append(UInt8(count & 0x7F) | 0x80)
        count >>= 7
      }
      return [number << 3 | 2] + length + [UInt8(count)] + content
    }
    let update = [UInt8](repeatElement([0x12, 0], count: stops).joined())
    let trip = field(2, field(1, [0x61]) + field(3, field(1, field(1, [0x74])) + update))
    let header = field(1, field(1, Array("2.0".utf8)))
    let message = header + [UInt8](repeatElement(trip, count: trips).joined())
    try Data(message).write(to: directory.file("a.pb"))
  }

  private func writeArchive(entries: Int) throws {
    func numbers(_ values: [(Int, bytes: Int)]) -> [UInt8] {
      values.flatMap { value, count in (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    }
    var (bytes, directory) = ([UInt8](), [UInt8]())
    let empty: [(Int, bytes: Int)] = [(0, 2), (0, 2), (0, 2), (0, 2), (0, 4), (0, 4), (0, 4)]
    for entry in 0..<entries {
      let name = Array("\(entry)".utf8)
      let start = bytes.count
      bytes += [0x50, 0x4B, 3, 4] + numbers([(20, 2)] + empty + [(name.count, 2), (0, 2)]) + name
      directory += [0x50, 0x4B, 1, 2] + numbers([(20, 2), (20, 2)] + empty)
      directory += numbers([(name.count, 2), (0, 2), (0, 2), (0, 2), (0, 2), (0, 4), (start, 4)])
      directory += name
    }
    let end = numbers([
      (0, 2), (0, 2), (entries, 2), (entries, 2), (directory.count, 4), (bytes.count, 4), (0, 2),
    ])
    try Data(bytes + directory + [0x50, 0x4B, 5, 6] + end).write(to: self.directory.file("a.zip"))
  }

  // MARK: - Refusals

  private func run(_ words: String...) throws -> ToolProcess.Result {
    try ToolProcess.run(words: words, in: directory.url)
  }

  /// Returns a number as an archive's directory has it.
  private static func number(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// Writes a PMTiles archive of one byte of tiles.
  private func writeArchive(directory bytes: [UInt8]) throws {
    let (root, metadata) = (GzipDeflater.deflate(bytes), GzipDeflater.deflate(Array("{}".utf8)))
    var header = Array("PMTiles".utf8) + [3]
    var end = 127
    for length in [root.count, metadata.count, 0, 1] {
      for number in [end, length] {
        header += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      end += length
    }
    header += [UInt8](repeating: 0, count: 24) + [1, 2, 1, 2, 0, 12]
    header += [UInt8](repeating: 0, count: 127 - header.count)
    try Data(header + root + metadata + [0]).write(to: directory.file("a.pmtiles"))
  }

  /// Returns what the tool says when it refuses a file.
  private func refusal(_ words: String...) throws -> String {
    let result = try ToolProcess.run(words: words, in: directory.url)
    #expect([65, 66].contains(result.status), "\(result.status) \(result.errors)")
    return result.errors
  }

  private func expectNoTileset(_ sql: String) throws {
    let file = directory.file("a.mbtiles")
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
          """)
      try db.execute(sql: sql)
    }
    try queue.close()
    #expect(throws: MapError.self) { try Tileset(at: file) }
  }

  private func expectProblem(_ words: String, ofTile tile: [UInt8]) throws {
    let queue = try DatabaseQueue(path: directory.file("a.mbtiles").path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE metadata (name TEXT, value TEXT);
          CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data);
          """)
      try db.execute(sql: "INSERT INTO tiles VALUES (0, 0, 0, ?)", arguments: [Data(tile)])
    }
    try queue.close()
    let result = try run("map", "check", "a.mbtiles", "--json")
    #expect(result.status == 1 && result.output.contains(words), "\(result.output)")
  }

  /// Returns zeros as gzip, without their checksum: one zero, and references to the 258 bytes before.
  ///
  /// - SeeAlso: RFC 1951, section 3.2.6
  private static func longContent(_ count: Int) -> [UInt8] {
    var (bytes, byte, bitCount): ([UInt8], UInt8, UInt8) = (
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], 0, 0
    )
    func append(_ bits: [UInt8]) {
      for bit in bits {
        byte |= bit << bitCount
        bitCount = (bitCount + 1) % 8
        if bitCount == 0 {
          bytes.append(byte)
          byte = 0
        }
      }
    }
    // The last block, in fixed codes; then 0.
    append([1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0])
    for _ in 0...count / 258 { append([1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0]) }
    append([0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0])
    return bytes
  }

  private func expectNotExamined(_ start: [UInt8], count: Int) throws {
    let copy = try ContainerCopy()
    let file = try copy.write(Data(start), to: "Documents/a.plist")
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: UInt64(count))
    try handle.close()
    let result = try ToolProcess.run("doctor", copy.folder.path, "--json")
    #expect(try result.findings.contains { $0.hasPrefix("not_examined") }, "\(result.output)")
  }
}
