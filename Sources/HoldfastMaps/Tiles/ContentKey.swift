import HoldfastFiles

/// Half of the SHA-256 digest of a content, and its length: two contents never have the same by chance.
struct ContentKey: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64
  private let byteCount: UInt32

  init(_ bytes: Span<UInt8>) {
    var hasher = SHA256()
    hasher.update(bytes)
    let digest = hasher.finalize().bytes
    func number(_ range: Range<Int>) -> UInt64 {
      digest[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    (high, low, byteCount) = (number(0..<8), number(8..<16), UInt32(bytes.count))
  }
}
