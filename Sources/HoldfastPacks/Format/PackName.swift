/// The name of a pack: 1 to 64 ASCII letters, digits, `.`, `_` and `-`, not beginning with `.`.
///
/// Names that differ only in letter case are equal, because on some volumes they name one folder.
/// The text is kept as it was written.
public struct PackName: Sendable, CustomStringConvertible {
  /// The name as it was written.
  public let description: String

  /// Creates a name.
  ///
  /// - Parameter text: The name.
  /// - Throws: ``PackError`` with `.invalidName` when the text is no name.
  public init(_ text: String) throws(PackError) {
    if let flaw = Self.flaw(of: text) { throw .illegalName(text, of: "a pack", flaw) }
    description = text
  }

  /// The name as volumes compare it that ignore letter case.
  package var folded: String { description.lowercased() }

  /// Returns why a text cannot be the name of a pack's folder; `nil` when it can.
  static func flaw(of text: String) -> String? {
    let bytes = Array(text.utf8)
    if bytes.isEmpty { return "it is empty" }
    if bytes.count > 64 { return "it has \(bytes.count) bytes" }
    if bytes[0] == UInt8(ascii: ".") { return "it begins with '.'" }
    let illegal = text.unicodeScalars.first { !isLegal($0) }
    return illegal.map { "it contains \($0.debugDescription)" }
  }

  private static func isLegal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}

extension PackName: Hashable {
  /// Whether two names are equal when letter case is ignored.
  public static func == (left: PackName, right: PackName) -> Bool { left.folded == right.folded }

  /// Hashes the name without regard to letter case.
  public func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
