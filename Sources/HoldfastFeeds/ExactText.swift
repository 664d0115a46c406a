/// A text that equals another only byte for byte, as SQLite compares them.
///
/// Swift's own strings are equal when they read alike: `é` in one code point equals `é` in two.
/// For names that a feed gives to its rows these are two.
struct ExactText: Hashable, Comparable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  static func < (left: ExactText, right: ExactText) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
