import CZlib

/// Content that was compressed by gzip or zlib.
package struct InflatedContent: Sendable {
  /// The bytes of the first member, which in zlib is the only one.
  package let bytes: [UInt8]

  /// The bytes that further members of gzip have, which many readers ignore.
  package let laterByteCount: Int

  /// The number of bytes after the last member.
  package let trailingByteCount: Int
}

/// The reason why content cannot be decompressed.
package enum InflationFault: Error, Hashable, Sendable {
  /// The bytes break off.
  case truncated
  /// The bytes are not in the format, or their checksum or length is another one.
  case invalid(reason: String)
  /// The content has more bytes than the caller accepts.
  case tooLong(most: Int)
}

extension InflationFault: CustomStringConvertible {
  /// The reason, for the end of a sentence.
  package var description: String {
    switch self {
    case .truncated: "it breaks off"
    case .invalid(let reason): reason
    case .tooLong(let most): "it has more than \(most >> 20) MiB"
    }
  }
}

/// A decompressor of gzip and zlib, which compares the checksum.
///
/// It is the system's zlib on every system, so that an app is linked with no other library. A
/// decompressor belongs to one thread at a time, and is used for one content after the other.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc1952>, <https://www.rfc-editor.org/rfc/rfc1950>
@safe
package final class ZlibInflater {
  /// Either header, by what the bytes begin with: 32 more than the greatest window (zlib.h).
  private static let anyHeader: Int32 = 15 + 32

  /// The bytes for which there is room at first, enough for most tiles.
  private static let firstByteCount = 64 << 10

  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a decompressor.
  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe holdfast_inflate_init(stream, Self.anyHeader)
    // Otherwise no memory is left, or another library than the one that was compiled for.
    precondition(status == Z_OK, "zlib does not begin (\(status)).")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Returns the content of compressed bytes.
  ///
  /// - Parameters:
  ///   - compressed: The bytes, which begin with a header of gzip or zlib.
  ///   - most: The bytes that the content may have, of all members together.
  /// - Returns: The bytes of the first member, and how many bytes follow it.
  /// - Throws: ``InflationFault``.
  package func inflate(
    _ compressed: [UInt8], most: Int
  ) throws(InflationFault) -> InflatedContent {
    var first: [UInt8]?
    var (start, laterByteCount) = (0, 0)
    repeat {
      let room = most - (first?.count ?? 0) - laterByteCount
      let member = try inflateMember(compressed, from: start, most: room, fullMost: most)
      start = member.end
      if first == nil { first = member.bytes } else { laterByteCount += member.bytes.count }
      // "A gzip file consists of a series of "members"" (RFC 1952, section 2.2).
    } while compressed[start...].starts(with: [0x1F, 0x8B])
    return InflatedContent(
      bytes: first ?? [], laterByteCount: laterByteCount,
      trailingByteCount: compressed.count - start)
  }

  /// Returns the beginning of the content of compressed bytes, as far as it can be decompressed.
  ///
  /// - Parameters:
  ///   - compressed: The bytes, or the first of them.
  ///   - count: The greatest number of bytes that are returned.
  /// - Returns: The bytes; none when not even the first can be decompressed.
  package func beginning(of compressed: [UInt8], count: Int) -> [UInt8] {
    unsafe inflateReset(stream)
    var output = [UInt8](repeating: 0, count: count)
    let step = step(compressed, from: 0, into: &output, at: 0)
    return Array(output[..<step.count])
  }

  /// Decompresses bytes that are one member and nothing else, into room that is used again.
  ///
  /// - Parameters:
  ///   - compressed: The bytes, which begin with a header of gzip or zlib.
  ///   - output: The room, which grows up to `most` bytes and keeps its length.
  ///   - most: The bytes that the content may have.
  /// - Returns: The number of bytes of the content, with which the room begins; `nil` for content that is longer, is
  ///   not whole, or has bytes behind it, of which ``inflate(_:most:)`` says more.
  package func inflateWhole(
    _ compressed: Span<UInt8>, into output: inout [UInt8], most: Int
  ) -> Int? {
    unsafe inflateReset(stream)
    if output.isEmpty { output = [UInt8](repeating: 0, count: min(most, Self.firstByteCount)) }
    var (position, count) = (0, 0)
    while true {
      // "Z_FINISH … informs inflate that it will not maintain a sliding window" (zlib.h), which saves a copy.
      let result = unsafe compressed.withUnsafeBufferPointer { input in
        unsafe step(input, from: position, into: &output, at: count, Z_FINISH)
      }
      (position, count) = (result.position, result.count)
      if result.status == Z_STREAM_END { return position == compressed.count ? count : nil }
      guard [Z_BUF_ERROR, Z_OK].contains(result.status), count == output.count, count < most
      else { return nil }
      output += [UInt8](repeating: 0, count: min(output.count, most - output.count))
    }
  }

  /// Decompresses the first member part by part, of which one is in memory at a time.
  ///
  /// - Parameters:
  ///   - compressed: The bytes, which begin with a header of gzip or zlib.
  ///   - body: Called with each part; returns whether another one is wanted.
  /// - Throws: ``InflationFault``, without `.tooLong`.
  package func inflateParts(
    _ compressed: [UInt8], _ body: (Span<UInt8>) -> Bool
  ) throws(InflationFault) {
    unsafe inflateReset(stream)
    var output = [UInt8](repeating: 0, count: Self.firstByteCount)
    var position = 0
    while true {
      let step = step(compressed, from: position, into: &output, at: 0)
      position = step.position
      guard body(output.span.extracting(..<step.count)) else { return }
      switch step.status {
      case Z_STREAM_END: return
      case Z_OK, Z_BUF_ERROR: guard step.count == output.count else { throw .truncated }
      default: throw .invalid(reason: step.message ?? "status \(step.status)")
      }
    }
  }

  /// Returns the content of one member, and the number of bytes before and in it.
  private func inflateMember(
    _ compressed: [UInt8], from start: Int, most: Int, fullMost: Int
  ) throws(InflationFault) -> (bytes: [UInt8], end: Int) {
    unsafe inflateReset(stream)
    var output = [UInt8](repeating: 0, count: min(most + 1, Self.firstByteCount))
    var (position, count) = (start, 0)
    while true {
      let step = step(compressed, from: position, into: &output, at: count)
      (position, count) = (step.position, step.count)
      switch step.status {
      case Z_STREAM_END:
        guard count <= most else { throw .tooLong(most: fullMost) }
        output.removeLast(output.count - count)
        return (output, position)
      case Z_OK, Z_BUF_ERROR:
        guard count == output.count else { throw .truncated }
        guard count <= most else { throw .tooLong(most: fullMost) }
        output += [UInt8](repeating: 0, count: min(output.count, most + 1 - output.count))
      default:
        throw .invalid(reason: step.message ?? "status \(step.status)")
      }
    }
  }

  /// Lets zlib read and write as much as there is room for.
  private func step(
    _ compressed: [UInt8], from position: Int, into output: inout [UInt8], at count: Int
  ) -> (status: Int32, position: Int, count: Int, message: String?) {
    unsafe compressed.withUnsafeBufferPointer { input in
      unsafe step(input, from: position, into: &output, at: count, Z_NO_FLUSH)
    }
  }

  private func step(
    _ input: UnsafeBufferPointer<UInt8>, from position: Int, into output: inout [UInt8],
    at count: Int, _ flush: Int32
  ) -> (status: Int32, position: Int, count: Int, message: String?) {
    unsafe output.withUnsafeMutableBufferPointer { room in
      // zlib's older declaration does not promise that it leaves the input as it is.
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        .map { unsafe $0 + position }
      unsafe stream.pointee.avail_in = UInt32(clamping: input.count - position)
      unsafe stream.pointee.next_out = room.baseAddress.map { unsafe $0 + count }
      unsafe stream.pointee.avail_out = UInt32(clamping: room.count - count)
      let status = unsafe CZlib.inflate(stream, flush)
      let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
      return unsafe (
        status, input.count - Int(stream.pointee.avail_in),
        room.count - Int(stream.pointee.avail_out), message
      )
    }
  }
}
