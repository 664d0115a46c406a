import Synchronization

/// The contents that were met, by a number that is soon computed.
///
/// Only contents that have the number of another one are compared by their digests, which takes much longer. Digests
/// decide: contents with one number are not taken for equal.
final class KnownContents: Sendable {
  /// A content.
  struct Entry: Sendable {
    /// The number of the first content with this hint.
    var number: Int32
    /// Whether its digest is known.
    var hasKey = false
  }

  private let entries = Mutex<[UInt64: Entry]>([:])

  /// Returns a number that equal contents have, and different ones rarely.
  static func hint(of bytes: Span<UInt8>) -> UInt64 {
    // The length, and some bytes of all parts; those at the end are gzip's checksum.
    var hint = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    let step = max(1, (bytes.count - 8) / 6)
    for start in stride(from: bytes.count - 8, to: -step, by: -step) {
      var word: UInt64 = 0
      for index in max(0, start)..<min(bytes.count, max(0, start) + 8) {
        word = word << 8 | UInt64(bytes[index])
      }
      hint = (hint ^ word) &* 0xFF51_AFD7_ED55_8CCD
      hint ^= hint >> 32
    }
    return hint
  }

  /// Returns whether a content with a hint was met.
  func contains(_ hint: UInt64) -> Bool { entries.withLock { $0[hint] != nil } }

  /// The first content with a hint.
  subscript(_ hint: UInt64) -> Entry? {
    get { entries.withLock { $0[hint] } }
    set { entries.withLock { $0[hint] = newValue } }
  }
}
