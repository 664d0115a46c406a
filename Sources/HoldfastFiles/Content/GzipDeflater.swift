import CZlib

/// A compressor to gzip, whose result depends on the content and on the version of zlib only.
///
/// - SeeAlso: <https://www.rfc-editor.org/rfc/rfc1952>
package enum GzipDeflater {
  /// Returns the compressed bytes of content.
  ///
  /// - Parameter content: At most 4 GiB.
  /// - Returns: One member of gzip.
  package static func deflate(_ content: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    let status = unsafe holdfast_gzip_init(&stream, 9)
    // Otherwise no memory is left, or another library than the one that was compiled for.
    precondition(status == Z_OK, "zlib does not begin (\(status)).")
    defer { unsafe deflateEnd(&stream) }
    var output = [UInt8](
      repeating: 0, count: unsafe Int(deflateBound(&stream, UInt(content.count))))
    let count = unsafe content.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { room in
        // zlib's older declaration does not promise that it leaves the input as it is.
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = room.baseAddress
        unsafe stream.avail_out = UInt32(room.count)
        let status = unsafe CZlib.deflate(&stream, Z_FINISH)
        precondition(status == Z_STREAM_END, "zlib needs more room than it said (\(status)).")
        return unsafe room.count - Int(stream.avail_out)
      }
    }
    output.removeLast(output.count - count)
    return output
  }
}
