/// A stop's name in two parts, the second of which is mostly the name of a place with many stops.
struct StopName: Hashable {
  /// The name up to the last separator, or the whole name.
  let start: Substring
  /// The separator and what follows it.
  let rest: Substring?

  private static let separators: [[UInt8]] = [", ", " - ", " @ ", " / ", " & ", " ("].map {
    Array($0.utf8)
  }

  init(_ name: String) {
    let bytes = Array(name.utf8)
    for separator in Self.separators where bytes.count > separator.count + 1 {
      for offset in (1..<(bytes.count - separator.count)).reversed()
      where bytes[offset] == separator[0] && bytes[offset...].starts(with: separator) {
        let index = name.utf8.index(name.startIndex, offsetBy: offset)
        (start, rest) = (name[..<index], name[index...])
        return
      }
    }
    (start, rest) = (name[...], nil)
  }
}
