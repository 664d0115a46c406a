/// A text in a blob whose length stands before it, so that its end is certain.
///
/// So do SQLite's JSONB, Protocol Buffers, MessagePack, CBOR, BSON, FlatBuffers and Python's pickle: after
/// the text may follow a byte that is a letter.
///
/// - SeeAlso: <https://sqlite.org/jsonb.html>, <https://protobuf.dev/programming-guides/encoding/>,
///   <https://github.com/msgpack/msgpack/blob/master/spec.md>, RFC 8949, <https://bsonspec.org/spec.html>
enum FramedText {
  /// The longest text that is looked at, in bytes; a system has no longer paths.
  private static let longest = 4096
  /// The number of bytes before the folder of containers in which a path begins.
  private static let longestHead = 256

  /// The folders in which the paths of containers begin.
  private static let roots = ["/var/", "/Users/"].map { Array($0.utf8) }

  /// Returns where the paths and URLs are whose length stands before them.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    guard isBinary(bytes) else { return [] }
    // A path may have both anchors.
    var ranges: Set<Range<Int>> = []
    // Texts may overlap in bytes that are made to be read for ever.
    var remaining = bytes.count.multipliedReportingOverflow(by: 4).partialValue
    for anchor in StoredPath.anchors {
      var place = 0
      while let found = bytes.firstRange(of: anchor, from: place) {
        let range = range(around: found, in: bytes, &remaining)
        if let range { ranges.insert(range) }
        place = max(found + anchor.count, range?.upperBound ?? 0)
      }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Whether bytes are no plain text, in which the byte before a path is no length.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.contains(where: isControl) || String(validating: bytes, as: UTF8.self) == nil
      || isJSONB(bytes)
      // The first text of a message of Protocol Buffers, with which few plain texts begin.
      || bytes.first == 0x0A
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte) || byte == 0x7F
  }

  /// Whether bytes are an array or an object of SQLite's JSONB, all of whose bytes may be letters.
  private static func isJSONB(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, [11, 12].contains(first & 0x0F) else { return false }
    let size = Int(first >> 4)
    guard size > 11 else { return bytes.count == 1 + size }
    let width = 1 << (size - 12)
    guard bytes.count > width else { return false }
    return bytes[1...width].reduce(0) { $0 << 8 | Int($1) } == bytes.count - 1 - width
  }

  private static func range(
    around anchor: Int, in bytes: [UInt8], _ remaining: inout Int
  ) -> Range<Int>? {
    guard let path = path(to: anchor, in: bytes) else { return nil }
    for start in starts(of: path, in: bytes) {
      if let end = end(from: start, after: anchor, in: bytes, &remaining) { return start..<end }
    }
    return nil
  }

  /// Returns where the path to an anchor begins.
  private static func path(to anchor: Int, in bytes: [UInt8]) -> Int? {
    var place = anchor
    while place > max(0, anchor - longestHead), !isControl(bytes[place - 1]) {
      place -= 1
      guard roots.contains(where: bytes[place...].starts(with:)) else { continue }
      // Its last letter is no length.
      let parent = "/private"
      return bytes[..<place].ends(with: parent) ? place - parent.utf8.count : place
    }
    return nil
  }

  /// Returns where a path or the URL of one may begin.
  private static func starts(of path: Int, in bytes: [UInt8]) -> [Int] {
    let head = bytes[max(0, path - 64)..<path]
    // Where a host stands, its URL has a slash before it too.
    guard let marker = head.indices.last(where: { head[$0...].starts(with: "://".utf8) }) else {
      return [path]
    }
    let scheme = head[..<marker].reversed().prefix { FileURLForm.isSchemePart($0) }.count
    // A letter before the scheme may be the length.
    let file = head[..<marker].ends(with: "file") ? [marker - 4] : []
    // The last letter of a host is none, nor is that of what a scheme has in place of one.
    let isApart = head[(marker + 3)...].contains { $0 <= 0x20 || $0 >= 0x7F }
    return [marker - scheme] + file + (isApart ? [path] : [])
  }

  /// Returns the end of a text that states its length.
  private static func end(
    from start: Int, after anchor: Int, in bytes: [UInt8], _ remaining: inout Int
  ) -> Int? {
    for length in lengths(before: start, in: bytes)
    where length <= min(longest, bytes.count - start) {
      // Some formats count the zero at the end.
      let isTerminated = length > 0 && bytes[start + length - 1] == 0
      let end = start + length - (isTerminated ? 1 : 0)
      guard end > anchor + 9, remaining > 0 else { continue }
      remaining -= length
      guard !bytes[start..<end].contains(where: { $0 < 0x20 || $0 == 0x7F }),
        let text = String(validating: bytes[start..<end], as: UTF8.self), StoredPath(text) != nil
      else { continue }
      return end
    }
    return nil
  }

  /// Returns the lengths that may be stated before a place, in any of the formats.
  private static func lengths(before place: Int, in bytes: [UInt8]) -> [Int] {
    /// The byte at a distance before the place; 0 before the first one, which is no mark of a text.
    func byte(_ distance: Int) -> UInt8 { distance <= place ? bytes[place - distance] : 0 }
    func number(_ width: Int) -> Int {
      (1...width).reversed().reduce(0) { $0 << 8 | Int(byte($1)) }
    }
    var lengths: [Int] = []
    // Marks of MessagePack, CBOR, JSONB and pickle, and behind them numbers whose highest byte is the first.
    if [0xD9, 0x78, 0x8C].contains(byte(2)) || (0xC7...0xCA).contains(byte(2)) {
      lengths.append(number(1))
    }
    if byte(3) == 0x79 || (0xD7...0xDA).contains(byte(3)) { lengths.append(number(2)) }
    if [0xDB, 0x7A].contains(byte(5)) || (0xE7...0xEA).contains(byte(5)) {
      lengths.append(number(4))
    }
    // Protocol Buffers: a key of the wire type 2, in one byte or two, and seven bits in each byte.
    func isKey(_ distance: Int) -> Bool {
      byte(distance) < 0x80
        && (byte(distance) & 7 == 2 || byte(distance + 1) >= 0x80 && byte(distance + 1) & 7 == 2)
    }
    if byte(1) < 0x80 {
      if isKey(2) { lengths.append(Int(byte(1))) }
      if byte(2) >= 0x80, isKey(3) { lengths.append(Int(byte(2) & 0x7F) | Int(byte(1)) << 7) }
    }
    // BSON, FlatBuffers, pickle and WebKit, whose highest bit says that each letter has one byte.
    if place >= 4 {
      lengths.append((1...4).reduce(0) { $0 << 8 | Int(byte($1)) } & 0x7FFF_FFFF)
    }
    return lengths
  }
}
