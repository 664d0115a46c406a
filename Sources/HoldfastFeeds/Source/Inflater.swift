import CInflate

/// A decompressor of one deflate stream, several times as fast as zlib's.
///
/// This is the only file of the module that calls ISA-L. A decompressor belongs to one thread at a
/// time.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc1951>
@safe final class Inflater {
  /// The stream is not in the format, which the decompressor does not describe further.
  struct Invalid: Error {}

  private static let inputSize = 128 << 10

  /// The CRC-32 of all bytes returned so far, as zip archives store it.
  private(set) var crc: UInt32 = 0
  // A property of the state's own type costs 0.1 MB of code, because of its long arrays.
  private let memory: UnsafeMutableRawPointer
  private let input: UnsafeMutableBufferPointer<UInt8>
  private var isInputAtEnd = false

  private var state: UnsafeMutablePointer<inflate_state> {
    unsafe memory.assumingMemoryBound(to: inflate_state.self)
  }

  init() {
    // The state holds arrays that Swift does not import, so it is allocated by its size.
    let size = unsafe MemoryLayout<inflate_state>.stride
    unsafe memory = .allocate(
      byteCount: size, alignment: MemoryLayout<inflate_state>.alignment)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe input = .allocate(capacity: Self.inputSize)
    unsafe isal_inflate_init(state)
  }

  deinit {
    unsafe memory.deallocate()
    unsafe input.deallocate()
  }

  /// Fills the output with the next bytes of the stream.
  ///
  /// - Parameters:
  ///   - output: The memory to fill.
  ///   - read: Fills memory with compressed bytes, and returns their number; 0 at the end.
  /// - Returns: The number of bytes; less than the length of the output only at the end of the
  ///   stream, or where the compressed bytes break off.
  /// - Throws: ``Invalid``, or whatever `read` throws.
  func inflate(
    into output: UnsafeMutableBufferPointer<UInt8>,
    _ read: (UnsafeMutableBufferPointer<UInt8>) throws -> Int
  ) throws -> Int {
    unsafe state.pointee.next_out = output.baseAddress
    unsafe state.pointee.avail_out = UInt32(output.count)
    while unsafe state.pointee.avail_out > 0, unsafe state.pointee.block_state != ISAL_BLOCK_FINISH
    {
      if unsafe state.pointee.avail_in == 0, !isInputAtEnd {
        let count = unsafe try read(input)
        unsafe state.pointee.next_in = input.baseAddress
        unsafe state.pointee.avail_in = UInt32(count)
        isInputAtEnd = count == 0
      }
      let room = unsafe state.pointee.avail_out
      guard unsafe isal_inflate(state) >= 0 else { throw Invalid() }
      // Without more input, a call may still return bytes that the decompressor held back.
      if isInputAtEnd, unsafe state.pointee.avail_out == room { break }
    }
    let count = unsafe output.count - Int(state.pointee.avail_out)
    unsafe crc = crc32_gzip_refl(crc, output.baseAddress, UInt64(count))
    return count
  }
}
