import Foundation
import Testing

@testable import HoldfastTool

@Suite struct JSONLineTests {
  @Test func keysKeepTheirOrder() {
    let record: OutputRecord = [
      "z": .integer(1), "a": .null, "m": .list([.bool(true), .text("x")]),
    ]
    #expect(record.json == #"{"z":1,"a":null,"m":[true,"x"]}"#)
    #expect(OutputRecord(columns: [], cells: []).json == "{}")
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("", #""""#), ("\"\\/", #""\"\\/""#),
    ("\n\r\t\u{0}\u{1B}", #""\n\r\t\u0000\u001b""#),
    ("\u{7F}\u{85}\u{9F}", #""\u007f\u0085\u009f""#),
    ("\u{2028}\u{2029}", #""\u2028\u2029""#),
    ("\u{202A}\u{202E}\u{2066}\u{2069}", #""\u202a\u202e\u2066\u2069""#),
    ("\u{2027}\u{202F}\u{2065}\u{206A}", "\"\u{2027}\u{202F}\u{2065}\u{206A}\""),
    ("Zürich 東京 🚋 e\u{301}", "\"Zürich 東京 🚋 e\u{301}\""),
    ("\r\n", #""\r\n""#), ("\u{FEFF}a", "\"\u{FEFF}a\""),
  ])
  func textIsEscapedOnlyWhereItMustBe(text: String, json: String) {
    let record: OutputRecord = ["t": .text(text)]
    #expect(Array(record.json.unicodeScalars) == Array("{\"t\":\(json)}".unicodeScalars))
  }

  @Test(arguments: [
    (0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e300, "1e+300"),
    (.leastNonzeroMagnitude, "5e-324"),
    (1.0 / 3, "0.3333333333333333"), (Double.infinity, "null"), (-.infinity, "null"),
    (Double.nan, "null"),
  ])
  func realsAreWrittenShortestOrAsNull(value: Double, json: String) {
    let record: OutputRecord = ["r": .real(value)]
    #expect(record.json == "{\"r\":\(json)}")
  }

  @Test func aBlobIsAnObject() {
    let record: OutputRecord = ["b": .blob(Data([0, 255, 16]))]
    #expect(record.json == #"{"b":{"blob":"AP8Q"}}"#)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func everyLineRoundTrips(seed: UInt64) throws {
    var random = Dice(state: seed)
    let record = random.record(depth: 3)
    let line = record.json
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    #expect(Self.difference(.record(record), object) == nil, "seed \(seed): \(line)")
  }

  /// Compares a cell with the value that Foundation's parser reads from the line.
  ///
  /// - Returns: The first value that differs; `nil` when all are equal.
  private static func difference(_ cell: Cell, _ object: Any?) -> String? {
    let isSame: Bool
    switch cell {
    case .null: isSame = object is NSNull
    case .bool(let value): isSame = (object as? NSNumber)?.boolValue == value
    case .integer(let value): isSame = (object as? NSNumber)?.int64Value == value
    case .unsigned(let value): isSame = (object as? NSNumber)?.uint64Value == value
    case .real(let value) where !value.isFinite: isSame = object is NSNull
    case .real(let value):
      // Compared as text, because on Linux the digits become a Decimal whose `doubleValue` is
      // inexact.
      isSame = (object as? NSNumber).flatMap { Double($0.stringValue) } == value
    case .text(let value):
      // Compared as scalars, because canonically equivalent strings are equal.
      isSame = (object as? String).map { Array($0.unicodeScalars) } == Array(value.unicodeScalars)
    case .instant(let value): isSame = (object as? String) == value.iso8601
    case .blob(let value):
      let text = (object as? [String: Any])?["blob"] as? String
      isSame = text.flatMap { Data(base64Encoded: $0) } == value
    case .list(let values):
      let objects = object as? [Any] ?? []
      if let inner = zip(values, objects).lazy.compactMap({ difference($0, $1) }).first {
        return inner
      }
      isSame = objects.count == values.count
    case .record(let record):
      let objects = object as? [String: Any] ?? [:]
      for field in record.fields {
        if let inner = difference(field.cell, objects[field.key]) { return inner }
      }
      isSame = objects.count == record.fields.count
    }
    return isSame ? nil : "\(cell) reads back as \(object ?? "nothing")"
  }

  /// A random number generator that is determined by a seed (SplitMix64).
  private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }

    mutating func text() -> String {
      // Without U+FEFF, which Foundation's parser on Linux drops at the start of a text.
      let hostile: [Unicode.Scalar] = [
        "a", "Z", "\"", "\\", "/", "\u{0}", "\n", "\u{1F}", "\u{7F}", "\u{85}", "\u{9F}", "\u{A0}",
        "\u{301}", "\u{2028}", "\u{2029}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "東",
        "\u{1F68B}", "\u{10FFFF}",
      ]
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &self) {
        text.unicodeScalars.append(hostile.randomElement(using: &self) ?? "a")
      }
      return text
    }

    mutating func cell(depth: Int) -> Cell {
      switch Int.random(in: 0...(depth > 0 ? 8 : 6), using: &self) {
      case 0: return .null
      case 1: return .bool(Bool.random(using: &self))
      case 2: return .integer(Int64(bitPattern: next()) >> Int64.random(in: 0...63, using: &self))
      case 3: return .real(Double(bitPattern: next()))
      case 4: return .text(text())
      case 5: return .blob(Data((0..<Int.random(in: 0...20, using: &self)).map { UInt8($0) }))
      case 6: return .unsigned(next() >> UInt64.random(in: 0...63, using: &self))
      case 7: return .list((0..<3).map { _ in cell(depth: depth - 1) })
      default: return .record(record(depth: depth - 1))
      }
    }

    mutating func record(depth: Int) -> OutputRecord {
      let keys = (0..<5).map { _ in text() }
      return OutputRecord(
        columns: OutputRecord.distinct(keys), cells: keys.map { _ in cell(depth: depth) })
    }
  }
}
