import Foundation
import Holdfast
import Testing

@testable import HoldfastTool

/// Values, conditions and statements, as the page gets and sends them.
@Suite struct InspectedValueTests {
  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], BlobKind.png),
      ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
      (Array("GIF89a".utf8), .gif), (Array("RIFF0000WEBPVP8 ".utf8), .webp),
      (Array("%PDF-1.7".utf8), .pdf),
      (Array("bplist00".utf8), .bplist), (Array(" {\"a\": 1}".utf8), .json),
      (Array("[1]".utf8), .json),
      (Array("<?xml version=\"1.0\"?>".utf8), .plist), ([0x1F, 0x8B, 8], .gzip),
      ([0x78, 0x9C, 1], .zlib),
      (Array("hello".utf8), .text), (Array(repeating: 0xC3, count: 16), .uuid),
      ([0, 1, 2], .bytes), ([], .bytes),
      (Array("0123456789abcdef".utf8), .text),
    ] as [([UInt8], BlobKind)])
  func blobsAreKnownByTheirFirstBytes(_ bytes: [UInt8], _ kind: BlobKind) {
    #expect(BlobKind(bytes, count: bytes.count) == kind)
  }

  @Test func onlyImagesThatContainNoScriptHaveAType() {
    #expect(BlobKind.allCases.filter { $0.imageType != nil } == [.png, .jpeg, .gif, .webp])
    let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)
    #expect(BlobKind(svg, count: svg.count).imageType == nil)
  }

  @Test func valuesHaveAReadableForm() throws {
    #expect(
      ReadableValue(Data("[1,{\"a\":\"x, y\"}]".utf8)).text
        == "[\n  1,\n  {\n    \"a\": \"x, y\"\n  }\n]")
    let uuid = Data([
      0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE,
      0xFF,
    ])
    #expect(ReadableValue(uuid).text == "00112233-4455-6677-8899-AABBCCDDEEFF")
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["b": [1, "x"], "a": true] as [String: Any], format: .binary, options: 0)
    #expect(ReadableValue(list).text == "{\n  a: true\n  b: [\n    1\n    \"x\"\n  ]\n}")
    #expect(
      ReadableValue(Data([0, 255, 65])).text
        == "00000000  00 ff 41                                         ..A")
    #expect(ReadableValue(Data()).text == "")
  }

  /// A property list has integers of 64 bits without a sign in 16 bytes.
  @Test func aLargeIntegerOfAPropertyListIsExact() {
    var bytes = Array("bplist00".utf8) + [0x14] + [UInt8](repeating: 0, count: 8)
    bytes += [0x80, 0, 0, 0, 0, 0, 0, 5] + [8]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 25]
    #expect(ReadableValue(Data(bytes)).text == "9223372036854775813")
  }

  /// A number that an app stores as a real one, such as a rate of 1.0, is not one that it stores as an integer.
  @Test func aPropertyListShowsWhichNumbersAreReal() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: [
        "days": 2, "rate": 2.0, "ratio": 0.1, "old": -3, "is": true, "none": [] as [Int],
        "at": Date(timeIntervalSinceReferenceDate: 0), "bytes": Data([1, 2]), "é": "ü",
        "max": Double.greatestFiniteMagnitude,
      ] as [String: Any], format: .binary, options: 0)
    #expect(
      ReadableValue(list).text == """
        {
          at: 2001-01-01T00:00:00.000Z
          bytes: x'0102'
          days: 2
          is: true
          max: 1.7976931348623157e+308
          none: []
          old: -3
          rate: 2.0
          ratio: 0.1
          é: "ü"
        }
        """)
  }

  /// An archive of objects refers to them by number; a real number may have four bytes, and a date any.
  @Test func aPropertyListShowsReferencesAndShortNumbers() {
    func text(_ object: [UInt8]) -> String {
      let bytes = Array("bplist00".utf8) + object + [8] + [0, 0, 0, 0, 0, 0, 1, 1]
      let numbers = [1, 0, 8 + object.count].flatMap { number -> [UInt8] in
        [0, 0, 0, 0, 0, 0, 0, UInt8(number)]
      }
      return ReadableValue(Data(bytes + numbers)).text
    }
    #expect(text([0x80, 7]) == "UID 7" && text([0x81, 1, 0]) == "UID 256")
    #expect(text([0x22, 0x3D, 0xCC, 0xCC, 0xCD]) == "0.1")
    #expect(text([0x10, 0xFF]) == "255" && text([0x00]) == "null")
    #expect(text([0x13] + [UInt8](repeating: 0xFF, count: 8)) == "-1")
    #expect(
      text([0x33, 0x7F, 0xEF] + [UInt8](repeating: 0xFF, count: 6))
        == "2001-01-01 + 1.7976931348623157e+308 s")
    for damaged in [[0x07], [0x13, 1], [0x14] + [UInt8](repeating: 1, count: 16)] as [[UInt8]] {
      #expect(text(damaged).hasPrefix("00000000  62 70"), "\(damaged)")
    }
  }

  /// Two kilobytes for each member would be hundreds of megabytes.
  @Test func aPropertyListIsShownUpToALength() {
    func number(_ number: Int) -> [UInt8] {
      (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    /// Returns the text of a list; an empty object is the one before it again.
    func text(_ objects: [[UInt8]], top: Int) -> String {
      var bytes = Array("bplist00".utf8)
      var (offset, offsets) = (bytes.count, [UInt8]())
      for object in objects {
        if !object.isEmpty { offset = bytes.count }
        offsets += number(offset)
        bytes += object
      }
      let trailer = number(0x0801) + number(objects.count) + number(top) + number(bytes.count)
      return ReadableValue(Data(bytes + offsets + trailer)).text
    }
    func references(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 100_000) }
    let length: [UInt8] = [0x12, 0, 0x01, 0x86, 0xA0]
    let key: [UInt8] = [0x5F, 0x11, 0x08, 0] + [UInt8](repeating: 0x61, count: 2048)
    let dictionary: [UInt8] = [0xDF] + length + references(1) + references(2)
    let array: [UInt8] = [0xAF] + length + references(1)
    for object in [dictionary, array] {
      let shown = text([object, key, [0x09]], top: 0)
      #expect((200_000..<300_000).contains(shown.utf8.count) && shown.contains("…"))
    }
    #expect(text([[0xD1, 1, 2], [0x51, 0x61], [0x09]], top: 0) == "{\n  a: true\n}")
    // The references of the last array, to itself, are not read because those of the others are the same bytes.
    let other: [UInt8] = [0xAF] + length + references(9)
    #expect(text([other, [], [0xA1, 2]], top: 2).hasPrefix("00000000  62 70"))
  }

  /// Reading it value by value would never end.
  @Test func aPropertyListThatContainsItselfIsDumped() {
    // An array whose only element is itself.
    var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
    bytes +=
      [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [
        0, 0, 0, 0, 0, 0, 0, 10,
      ]
    #expect(BinaryPropertyList(bytes) != nil)
    #expect(ReadableValue(Data(bytes)).text.hasPrefix("00000000  62 70"))
  }

  @Test func valuesAreShortAndNumbersExact() {
    #expect(
      Cell.preview(DatabaseValue(storage: .int64(1 << 53)))
        == .record(["integer": .text("9007199254740992")]))
    #expect(Cell.preview(DatabaseValue(storage: .int64(1 << 53 - 1))) == .integer(1 << 53 - 1))
    #expect(
      Cell.preview(DatabaseValue(storage: .double(.infinity))) == .record(["real": .text("inf")]))
    let long = String(repeating: "é", count: 10_000)
    #expect(
      Cell.preview(DatabaseValue(storage: .string(long)))
        == .record(["text": .text(String(repeating: "é", count: 1000)), "bytes": .integer(20_000)]))
    let blob = Data(repeating: 7, count: 100)
    #expect(
      Cell.preview(DatabaseValue(storage: .blob(blob)))
        == .record([
          "blob": .text(blob.prefix(64).base64EncodedString()), "bytes": .integer(100),
          "kind": .text("bytes"),
        ]))
  }

  @Test func conditionsAreReadWhateverTheColumnIsCalled() {
    let filter = RowFilter(#"a\:b\\c:eq:x:y"#)
    #expect(RowFilter.word(#"a:b\c"#, .eq, "x:y") == #"a\:b\\c:eq:x:y"#)
    #expect(filter?.column == #"a:b\c"# && filter?.text == "x:y")
    #expect(
      RowFilter("a:contains:100%")?.condition.arguments == [
        DatabaseValue(storage: .string(#"%100\%%"#))
      ])
    #expect(RowFilter("a:null:")?.condition.sql == "\"a\" IS NULL")
    #expect(RowFilter("a:null")?.comparison == .null)
    for word in ["", "a", "a:like:x", "a:eq'; DROP", "a\\"] {
      #expect(RowFilter(word) == nil, "\(word)")
    }
    #expect(
      RowFilter("x\"; DROP TABLE t --:eq:1")?.condition.sql.hasPrefix(
        "\"x\"\"; DROP TABLE t --\" IN (") == true)
  }

  @Test func aFilterFindsNumbersTextsAndBlobs() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE t (v); INSERT INTO t VALUES (5), ('5'), (x'35'), (NULL), (5.5), ('5%x')")
    }
    func count(_ word: String) throws -> Int? {
      let condition = try #require(RowFilter(word)?.condition)
      return try queue.read { db in
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM t WHERE \(condition.sql)",
          arguments: StatementArguments(condition.arguments))
      }
    }
    #expect(try count("v:eq:5") == 2)
    #expect(try count("v:eq:x'35'") == 1)
    #expect(try count("v:ne:5") == 4)
    #expect(try count("v:null:") == 1)
    #expect(try count("v:contains:%") == 1)
    #expect(try count("v:gt:5") == 4)
  }

  @Test(arguments: [
    ("SELECT 1", true), (" -- x\n/* y */ select 1", true),
    ("WITH a AS (SELECT 1) SELECT * FROM a", true),
    ("VALUES (1)", true), ("EXPLAIN QUERY PLAN SELECT 1", true),
    ("PRAGMA journal_mode = DELETE", false),
    ("ATTACH 'x' AS y", false), ("INSERT INTO t VALUES (1)", false), ("", false),
    ("-- only", false), ("/* open", false),
    (";SELECT 1", false), ("SELECTED", false),
  ])
  func onlyStatementsThatBeginLikeReadingAreAllowed(_ sql: String, _ isAllowed: Bool) {
    #expect(ReadOnlyStatement.isAllowed(sql) == isAllowed)
  }
}
