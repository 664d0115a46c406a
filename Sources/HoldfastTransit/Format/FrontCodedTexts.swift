/// The coding of a list of texts, each of which leaves out what it begins with like the one before.
///
/// The length of the list is not stored.
enum FrontCodedTexts {
  /// The largest number in half a byte; it means that the excess over it follows.
  private static let large = 15

  /// The largest size of a text in bytes, which bounds what damaged bytes can ask for.
  static let mostBytes = 1 << 24

  static func append(_ texts: some Sequence<String>, to writer: inout ByteWriter) {
    var previous: [UInt8] = []
    for text in texts {
      let bytes = Array(text.utf8)
      let shared = zip(previous, bytes).prefix { $0 == $1 }.count
      let own = bytes.count - shared
      writer.append(UInt8(min(shared, large) << 4 | min(own, large)))
      if shared >= large { writer.append(count: shared - large) }
      if own >= large { writer.append(count: own - large) }
      writer.append(contentsOf: bytes[shared...])
      previous = bytes
    }
  }

  static func read(
    _ count: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> [String] {
    var texts: [String] = []
    var current: [UInt8] = []
    for _ in 0..<count {
      try readNext(after: &current, from: &reader)
      texts.append(try text(current))
    }
    return texts
  }

  /// Reads the text at an index, and makes no other.
  static func read(
    at index: Int, from reader: inout ByteReader
  ) throws(DamagedBytes) -> String {
    var current: [UInt8] = []
    for _ in 0...index { try readNext(after: &current, from: &reader) }
    return try text(current)
  }

  /// Makes the bytes of a text those of the next one.
  private static func readNext(
    after current: inout [UInt8], from reader: inout ByteReader
  ) throws(DamagedBytes) {
    let lengths = Int(try reader.byte())
    var (shared, own) = (lengths >> 4, lengths & 0xF)
    if shared == large { shared += try reader.count(upTo: mostBytes) }
    if own == large { own += try reader.count(upTo: mostBytes) }
    guard shared <= current.count else { throw DamagedBytes() }
    current.removeLast(current.count - shared)
    current.append(contentsOf: try reader.bytes(own))
  }

  private static func text(_ bytes: [UInt8]) throws(DamagedBytes) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw DamagedBytes() }
    return text
  }
}
