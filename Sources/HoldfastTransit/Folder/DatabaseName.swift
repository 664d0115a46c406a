import HoldfastFiles

/// The name of a database in a folder of timetables: 8 digits of its SHA-256, and a number if another
/// file has the name already.
struct DatabaseName: Hashable, Sendable {
  /// The name, such as `1f0c4a5e.db` or `1f0c4a5e-2.db`.
  let text: String

  /// The first hexadecimal digits of the file's SHA-256.
  let digits: String

  private static let digitCount = 8

  /// Returns the name of a file with a digest: its first choice, its second, and so on, from 1.
  init(_ digest: SHA256Digest, choice: Int) {
    digits = String(digest.description.prefix(Self.digitCount))
    text = digits + (choice > 1 ? "-\(choice)" : "") + ".db"
  }

  /// Parses a name; `nil` when it is not one of these.
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].elementsEqual("db".utf8) else { return nil }
    let words = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard (1...2).contains(words.count), words[0].count == Self.digitCount,
      words[0].allSatisfy({ Self.hexDigits.contains($0) })
    else { return nil }
    if words.count == 2 {
      guard let number = Int(String(Substring(words[1]))), number > 1,
        "\(number)".utf8.elementsEqual(words[1])
      else { return nil }
    }
    self.text = text
    digits = String(Substring(words[0]))
  }

  private static let hexDigits = Set("0123456789abcdef".utf8)

  /// Whether a file with this digest has the name rightly.
  func isName(of digest: SHA256Digest) -> Bool { digest.description.hasPrefix(digits) }
}
