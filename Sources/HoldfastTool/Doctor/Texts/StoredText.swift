/// A text in a structured file, with the keys that lead to it.
struct StoredText: Equatable, Sendable {
  /// The keys: `items[].path`; empty at the top.
  var key: String
  var text: String
  /// The bytes of data, which is no text.
  var data: [UInt8]?
  /// Whether it is data that is too long to be read.
  var isLeftOut = false
}

/// The keys that lead to a value while a file is read from its beginning to its end.
struct KeyPath: Sendable {
  private struct Level {
    var isArray: Bool
    var key: String?
  }

  /// Deeper levels are counted, and not named.
  private static let namedLevels = 64
  private static let keyLength = 40

  private var levels: [Level] = []
  private var unnamedLevels = 0

  var isInArray: Bool { unnamedLevels == 0 && levels.last?.isArray == true }

  mutating func begin(array: Bool) {
    if levels.count < Self.namedLevels {
      levels.append(Level(isArray: array))
    } else {
      unnamedLevels += 1
    }
  }

  mutating func end() {
    if unnamedLevels > 0 { unnamedLevels -= 1 } else { _ = levels.popLast() }
  }

  mutating func name(_ key: String) {
    guard unnamedLevels == 0, !levels.isEmpty else { return }
    levels[levels.count - 1].key = Self.shown(key)
  }

  var text: String {
    levels.reduce(into: "") { text, level in
      if level.isArray {
        text += "[]"
      } else {
        text += (text.isEmpty ? "" : ".") + (level.key ?? "")
      }
    }
  }

  /// Returns a key as it is shown: short, and not if it is itself a path.
  static func shown(_ key: String) -> String {
    key.utf8.contains(UInt8(ascii: "/")) ? "…" : key.withoutMiddle(toLength: keyLength)
  }
}

/// A reader of all texts in a file, or of those that are sought, chunk by chunk.
protocol TextReader {
  /// Whether a text is visited.
  var isSought: ([UInt8]) -> Bool { get }

  /// Reads the next bytes of the file.
  mutating func read(_ bytes: ArraySlice<UInt8>, _ visit: (StoredText) throws -> Void) rethrows

  /// Ends reading; a text that was not complete is visited too.
  mutating func end(_ visit: (StoredText) throws -> Void) rethrows
}

extension TextReader {
  /// The length of a text, in bytes, above which it is visited in pieces.
  static var longestText: Int { 64 << 10 }

  /// Returns whether bytes may be a text to visit, before escapes in them are replaced.
  func isVisited(_ bytes: [UInt8], escape: UInt8) -> Bool {
    isSought(bytes) || bytes.contains(escape)
  }

  /// Returns where a long text may be cut without cutting a path: after the last delimiter.
  static func cut(_ bytes: [UInt8]) -> Int {
    let last = bytes.suffix(4096).lastIndex { byte in
      byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"")
    }
    return last.map { $0 + 1 } ?? bytes.count
  }
}
