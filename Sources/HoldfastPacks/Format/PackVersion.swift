/// The version of a pack: 1 to 4 numbers with dots between them, ordered by the numbers.
///
/// Numbers that are missing at the end are 0: `1.0` and `1.0.0` are one version. A number has at
/// most 18 digits, and no leading zeros, because `2025.01` and `2025.1` would be read as two.
public struct PackVersion: Sendable, CustomStringConvertible {
  /// The version as it was written.
  public let description: String

  /// The numbers, without zeros at the end.
  private let numbers: [UInt64]

  /// Creates a version.
  ///
  /// - Parameter text: The version, such as `2025.1.3`.
  /// - Throws: ``PackError`` with `.invalidName` when the text is no version.
  public init(_ text: String) throws(PackError) {
    var numbers: [UInt64] = []
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 4 else { throw .illegalVersion(text, "it has \(parts.count) numbers") }
    for part in parts {
      let part = String(Substring(part))
      guard !part.isEmpty else { throw .illegalVersion(text, "a number is missing") }
      guard part.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
        throw .illegalVersion(text, "'\(part)' is no number")
      }
      guard part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0") else {
        throw .illegalVersion(text, "'\(part)' begins with a zero")
      }
      guard part.utf8.count <= 18, let number = UInt64(part) else {
        throw .illegalVersion(text, "'\(part)' has more than 18 digits")
      }
      numbers.append(number)
    }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
    description = text
  }
}

extension PackVersion: Comparable, Hashable {
  /// Whether two versions have the same numbers.
  public static func == (left: PackVersion, right: PackVersion) -> Bool {
    left.numbers == right.numbers
  }

  /// Hashes the numbers.
  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

  /// Whether the first version is the lower one.
  public static func < (left: PackVersion, right: PackVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }
}
