import CZlib

/// The checksum of gzip and PNG.
///
/// - SeeAlso: RFC 1952, section 8; <https://www.w3.org/TR/png-3/>, section 5.5
package enum CRC32 {
  /// Returns the checksum of bytes.
  package static func checksum(of bytes: Span<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe UInt32(truncatingIfNeeded: crc32(0, bytes.baseAddress, UInt32(clamping: bytes.count)))
    }
  }
}
