/// The edition of a pack, such as the year of a festival.
///
/// Editions of one pack are kept apart: each has its own folder, its own generations and its own
/// databases. The folder has the edition's name as it was written: on a volume that distinguishes
/// letter case, `Summer` and `summer` are equal and have two folders, so never change the spelling.
/// An edition has the characters of a ``PackName``. Editions of digits are ordered by
/// their numbers, before all others, which are ordered by their bytes.
public struct PackEdition: Sendable, CustomStringConvertible {
  /// The edition as it was written.
  public let description: String

  /// Creates an edition.
  ///
  /// - Parameter text: The edition, such as `2025`.
  /// - Throws: ``PackError`` with `.invalidName` when the text is no name of a folder.
  public init(_ text: String) throws(PackError) {
    if let flaw = PackName.flaw(of: text) { throw .illegalName(text, of: "an edition", flaw) }
    description = text
  }

  /// The edition as volumes compare it that ignore letter case.
  package var folded: String { description.lowercased() }
}

extension PackEdition: Comparable, Hashable {
  /// Whether two editions are equal when letter case is ignored.
  public static func == (left: PackEdition, right: PackEdition) -> Bool {
    left.folded == right.folded
  }

  /// Hashes the edition without regard to letter case.
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

  /// Whether the first edition is the earlier one.
  public static func < (left: PackEdition, right: PackEdition) -> Bool {
    left.rank.lexicographicallyPrecedes(right.rank)
  }

  /// Bytes in the order of editions; the leading zeros of a number only decide between equal ones.
  private var rank: [UInt8] {
    let bytes = Array(folded.utf8)
    guard bytes.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
      return [1] + bytes
    }
    let digits = bytes.drop { $0 == UInt8(ascii: "0") }
    return [0, UInt8(digits.count)] + digits + [UInt8(bytes.count)]
  }
}
