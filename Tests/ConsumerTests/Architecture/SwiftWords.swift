/// The words of a Swift file, without those in comments and texts.
struct SwiftWords {
  /// The names with a capital letter.
  private(set) var names: Set<String> = []

  /// The types that the file declares outside of others, and that other files can use.
  private(set) var types: Set<String> = []

  private static let declarations: Set<String> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var index = 0
    var depth = 0
    /// The last words of the declaration outside of all braces.
    var declares = false
    var isPrivate = false
    func byte(_ place: Int) -> UInt8 { place < bytes.count ? bytes[place] : 0 }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/") where byte(index + 1) == UInt8(ascii: "/"):
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      case UInt8(ascii: "\""):
        index = Self.endOfText(bytes, from: index)
      case UInt8(ascii: "{"):
        (depth, declares, isPrivate, index) = (depth + 1, false, false, index + 1)
      case UInt8(ascii: "}"):
        (depth, declares, isPrivate, index) = (depth - 1, false, false, index + 1)
      case let first where Self.isLetter(first):
        let start = index
        while index < bytes.count, Self.isLetter(bytes[index]) || Self.isDigit(bytes[index]) {
          index += 1
        }
        let isName = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        // Most words are neither.
        guard isName || depth == 0 else { continue }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        if isName { names.insert(word) }
        guard depth == 0 else { continue }
        if declares, isName {
          if !isPrivate { types.insert(word) }
          (declares, isPrivate) = (false, false)
        }
        if ["let", "var", "func", "extension"].contains(word) {
          (declares, isPrivate) = (false, false)
        }
        if word == "private" || word == "fileprivate" { isPrivate = true }
        if Self.declarations.contains(word) { declares = true }
      default: index += 1
      }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns the place after a text that begins at a place.
  private static func endOfText(_ bytes: [UInt8], from start: Int) -> Int {
    let quote = UInt8(ascii: "\"")
    let isLong = bytes[start...].prefix(3).elementsEqual([quote, quote, quote])
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\") {
        index += 2
      } else if bytes[index] == quote, !isLong {
        return index + 1
      } else if bytes[index] == quote,
        bytes[index...].prefix(3).elementsEqual([quote, quote, quote])
      {
        return index + 3
      } else if bytes[index] == UInt8(ascii: "\n"), !isLong {
        return index
      } else {
        index += 1
      }
    }
    return index
  }
}
