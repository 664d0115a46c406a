/// Operations on borrowed bytes, eight at a time.
enum RawBytes {
  /// Returns a hash of bytes.
  static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    let count = bytes.count
    var hash = seed
    var index = 0
    while index + 8 <= count {
      hash = unsafe mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    return unsafe mix(mix(hash ^ rest(bytes, from: index)) ^ UInt64(truncatingIfNeeded: count))
  }

  /// Returns whether two ranges of memory have the same bytes.
  static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    let count = one.count
    var index = 0
    while index + 8 <= count {
      let first = unsafe one.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let second = unsafe other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if first != second { return false }
      index += 8
    }
    return unsafe rest(one, from: index) == rest(other, from: index)
  }

  /// Returns the bytes from an index on, fewer than eight, as a number.
  @inline(__always)
  private static func rest(_ bytes: UnsafeRawBufferPointer, from index: Int) -> UInt64 {
    let count = bytes.count
    if index == count { return 0 }
    // The bytes before the index are known to be equal, or are a part of the hash already.
    if count >= 8 { return unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
    if count >= 4 {
      let low = unsafe bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
      let high = unsafe bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(high) << 32 | UInt64(low)
    }
    var rest: UInt64 = 0
    for index in 0..<count { rest = unsafe rest << 8 | UInt64(bytes[index]) }
    return rest
  }

  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0x2D35_8DCC_AA6C_78A5).multipliedFullWidth(by: 0x8BB8_4B93_962E_ACC9)
    return product.high ^ product.low
  }
}
