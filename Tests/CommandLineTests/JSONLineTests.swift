import Foundation
import Testing

@testable import HoldfastTool

@Suite struct JSONLineTests {
  @Test func keysKeepTheirOrder() {
    let record: Record = ["z": .integer(1), "a": .null, "m": .list([.bool(true), .text("x")])]
    #expect(record.json == #"{"z":1,"a":null,"m":[true,"x"]}"#)
    #expect(Record(columns: [], cells: []).json == "{}")
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("", #""""#), ("\"\\/", #""\"\\/""#),
    ("\n\r\t\u{0}\u{1B}", #""\n\r\t\u0000\u001b""#),
    ("\u{7F}\u{85}\u{9F}", #""\u007f\u0085\u009f""#),
    ("\u{2028}\u{2029}", #""\u2028\u2029""#),
    ("Zürich 東京 🚋 e\u{301}", "\"Zürich 東京 🚋 e\u{301}\""),
    ("\r\n", #""\r\n""#),
  ])
  func textIsEscapedOnlyWhereItMustBe(text: String, json: String) {
    let record: Record = ["t": .text(text)]
    #expect(Array(record.json.unicodeScalars) == Array("{\"t\":\(json)}".unicodeScalars))
  }

  @Test(arguments: [
    (0.1, "0.1"), (1.0, "1.0"), (-0.0, "-0.0"), (1e300, "1e+300"),
    (.leastNonzeroMagnitude, "5e-324"),
    (1.0 / 3, "0.3333333333333333"), (Double.infinity, "null"), (-.infinity, "null"),
    (Double.nan, "null"),
  ])
  func realsAreShortestOrNull(value: Double, json: String) {
    let record: Record = ["r": .real(value)]
    #expect(record.json == "{\"r\":\(json)}")
  }

  @Test func aBlobIsAnObject() {
    let record: Record = ["b": .blob(Data([0, 255, 16]))]
    #expect(record.json == #"{"b":{"blob":"AP8Q"}}"#)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func everyLineReadsBackAsWhatWasPrinted(seed: UInt64) throws {
    var random = Dice(state: seed)
    let record = random.record(depth: 3)
    let line = record.json
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    let isSame = Self.matches(.record(record), object)
    #expect(isSame, "seed \(seed): \(line)")
  }

  /// Compares with what Foundation's reader, written by others, makes of the line.
  private static func matches(_ cell: Cell, _ object: Any) -> Bool {
    switch cell {
    case .null: return object is NSNull
    case .bool(let value): return (object as? NSNumber)?.boolValue == value
    case .integer(let value): return (object as? NSNumber)?.int64Value == value
    case .real(let value):
      guard value.isFinite else { return object is NSNull }
      return (object as? NSNumber)?.doubleValue == value
    case .text(let value):
      return (object as? String).map { Array($0.unicodeScalars) == Array(value.unicodeScalars) }
        ?? false
    case .blob(let value):
      let text = (object as? [String: Any])?["blob"] as? String
      return text.flatMap { Data(base64Encoded: $0) } == value
    case .list(let values):
      guard let objects = object as? [Any], objects.count == values.count else { return false }
      return zip(values, objects).allSatisfy { matches($0, $1) }
    case .record(let record):
      guard let objects = object as? [String: Any], objects.count == record.fields.count else {
        return false
      }
      return record.fields.allSatisfy { field in
        objects[field.key].map { matches(field.cell, $0) } ?? false
      }
    }
  }

  /// Throws the same values for the same seed (SplitMix64).
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
      let hostile: [Unicode.Scalar] = [
        "a", "Z", "\"", "\\", "/", "\u{0}", "\n", "\u{1F}", "\u{7F}", "\u{85}", "\u{9F}", "\u{A0}",
        "\u{301}", "\u{2028}", "\u{2029}", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFF}", "東",
        "\u{1F68B}", "\u{10FFFF}",
      ]
      var text = ""
      for _ in 0..<Int.random(in: 0...12, using: &self) {
        text.unicodeScalars.append(hostile.randomElement(using: &self) ?? "a")
      }
      return text
    }

    mutating func cell(depth: Int) -> Cell {
      switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &self) {
      case 0: return .null
      case 1: return .bool(Bool.random(using: &self))
      case 2: return .integer(Int64(bitPattern: next()) >> Int64.random(in: 0...63, using: &self))
      case 3: return .real(Double(bitPattern: next()))
      case 4: return .text(text())
      case 5: return .blob(Data((0..<Int.random(in: 0...20, using: &self)).map { UInt8($0) }))
      case 6: return .list((0..<3).map { _ in cell(depth: depth - 1) })
      default: return .record(record(depth: depth - 1))
      }
    }

    mutating func record(depth: Int) -> Record {
      // Foundation's reader on Linux drops U+FEFF from keys, though not from values.
      let keys = (0..<5).map { _ in
        String(String.UnicodeScalarView(text().unicodeScalars.filter { $0 != "\u{FEFF}" }))
      }
      return Record(columns: Record.distinct(keys), cells: keys.map { _ in cell(depth: depth) })
    }
  }
}
