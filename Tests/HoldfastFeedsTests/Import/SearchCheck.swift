import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// A property: every stop is found by its name, its words in any order, and prefixes of its words.
///
/// Of a large feed some thousand texts are looked for, and all with `HOLDFAST_CASES=100000`.
struct SearchCheck {
  private static let most =
    ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 3000

  private let timetable: Timetable
  private let names: [Int64: String]

  init(_ timetable: Timetable) throws {
    self.timetable = timetable
    let rows = try timetable.reader.read { db in
      try Row.fetchAll(db, sql: "SELECT sid, stop_name FROM stops")
    }
    names = Dictionary(
      uniqueKeysWithValues: try rows.map {
        (try $0.decode(atIndex: 0) as Int64, try $0.decode(atIndex: 1) as String)
      })
  }

  /// Returns the parts between spaces that contain a letter or a digit.
  private static func words(of name: String) -> [String] {
    name.split(whereSeparator: \.isWhitespace).map(String.init).filter { word in
      word.unicodeScalars.contains {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
    }
  }

  func check(_ comment: String) throws {
    var random = SeededRandom(for: comment)
    var expected: [String: Set<Int64>] = [:]
    for (sid, name) in names.sorted(by: { $0.key < $1.key }) {
      var words = Self.words(of: name)
      expected[name, default: []].insert(sid)
      guard !words.isEmpty else { continue }
      expected[words.reversed().joined(separator: " "), default: []].insert(sid)
      for _ in 0..<2 {
        words.shuffle(using: &random)
        expected[words.joined(separator: " "), default: []].insert(sid)
      }
      for word in words where word.count >= 2 {
        for length in 2...word.count {
          expected[String(word.prefix(length)), default: []].insert(sid)
        }
      }
    }
    #expect(!expected.isEmpty)
    // In an order of their own, so that the seed repeats which ones.
    let texts = expected.keys.sorted().shuffled(using: &random).prefix(Self.most)
    try timetable.reader.read { db in
      for text in texts {
        let sids = expected[text, default: []]
        let found = try StopSearch(text, limit: names.count).fetchAll(db)
        let missed = sids.subtracting(found.lazy.map(\.sid)).compactMap { names[$0] }
        #expect(missed.isEmpty, "\(comment): '\(text)' misses \(missed.prefix(3))")
      }
    }
  }
}
