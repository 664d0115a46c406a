/// Sixteen bytes in a row, which are compared at once.
struct ByteBlock {
  /// The number of bytes.
  static let byteCount = 16

  /// The places of a block at which something is true.
  struct Places {
    private var mask: SIMDMask<SIMD16<Int8>>

    fileprivate init(_ mask: SIMDMask<SIMD16<Int8>>) { self.mask = mask }

    /// No places.
    init() { mask = SIMDMask(repeating: false) }

    /// Whether there are none.
    var isEmpty: Bool {
      let halves = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
      return halves[0] | halves[1] == 0
    }

    /// The places of both.
    func intersection(_ other: Places) -> Places { Places(mask .& other.mask) }

    /// The places of either.
    func union(_ other: Places) -> Places { Places(mask .| other.mask) }
  }

  private let bytes: SIMD16<UInt8>

  /// Reads a block, all of which is inside of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The place of the block's first byte.
  init(_ bytes: Span<UInt8>, at start: Int) {
    precondition(start >= 0 && start <= bytes.count - Self.byteCount)
    self.bytes = unsafe bytes.bytes.unsafeLoadUnaligned(
      fromByteOffset: start, as: SIMD16<UInt8>.self)
  }

  /// Returns the places of a byte.
  func places(of byte: UInt8) -> Places {
    Places(bytes .== SIMD16(repeating: byte))
  }
}
