/// The path of a file in a pack: names with `/` between them, kept byte for byte.
///
/// No name is empty, begins with `.`, or contains NUL or a control character, so a path stays below
/// the folder of its pack; it has at most 32 names. Two paths are equal when their bytes are equal.
public struct PackPath: Sendable, CustomStringConvertible {
  /// The path as it was written.
  public let description: String

  /// Creates a path.
  ///
  /// - Parameter text: The path below the pack's folder.
  /// - Throws: ``PackError`` with `.invalidName` when the text is no such path.
  public init(_ text: String) throws(PackError) {
    if let flaw = Self.flaw(of: text) { throw .illegalPath(text, flaw) }
    description = text
  }

  /// Creates the path of names that were checked.
  init(unchecked text: String) {
    description = text
  }

  /// The names from the pack's folder to the file.
  package var names: [String] {
    description.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// The path as volumes compare it that ignore letter case and Unicode normalization.
  ///
  /// `String` compares normalized text.
  var folded: String { description.lowercased() }

  private static func flaw(of text: String) -> String? {
    if text.utf8.isEmpty { return "it is empty" }
    if text.utf8.count > 1000 { return "it has more than 1000 bytes" }
    let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // Each level costs a folder, and a step of its own in all that is done with folders.
    if names.count > 32 { return "it has \(names.count) names, more than 32" }
    for name in names {
      guard let first = name.first else { return "a name in it is empty" }
      if first == UInt8(ascii: ".") { return "a name in it begins with '.'" }
      if name.count > 255 { return "a name in it has more than 255 bytes" }
    }
    if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      return "it contains a control character"
    }
    return nil
  }
}

extension PackPath: Hashable, Comparable {
  /// Whether two paths have the same bytes.
  public static func == (left: PackPath, right: PackPath) -> Bool {
    left.description.utf8.elementsEqual(right.description.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }

  /// Whether the first path precedes the second, compared by bytes.
  public static func < (left: PackPath, right: PackPath) -> Bool {
    left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
  }
}
