internal import CMicroHTTPD
internal import Foundation

/// How an answer is handed over to libmicrohttpd.
struct ResponseSending {
  /// What sends it.
  let library: HTTPLibrary

  /// The time in seconds after which a receiver that takes nothing is disconnected.
  let timeout: UInt32

  /// How much of a channel is sent at a time, in bytes.
  private static let blockSize = 64 << 10

  /// The bytes of a channel that wait for the connection.
  @safe private final class Reading {
    let channel: ByteChannel
    let connection: OpaquePointer
    let sending: ResponseSending
    var bytes = Data()
    var sentCount = 0

    init(_ channel: ByteChannel, _ connection: OpaquePointer, _ sending: ResponseSending) {
      self.channel = channel
      unsafe self.connection = connection
      self.sending = sending
    }

    /// Waits for bytes while the connection is there.
    func receive() -> ByteChannel.Piece {
      defer { unsafe sending.restartTimeout(connection) }
      return channel.receive {
        unsafe http_is_gone(sending.library.functions, connection) != 0
      }
    }
  }

  /// Sends an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - connection: The connection.
  /// - Returns: Whether libmicrohttpd took it.
  func send(_ answer: HTTPResponse, to connection: OpaquePointer) -> MHD_Result {
    // It may have taken longer to find the answer.
    unsafe restartTimeout(connection)
    guard let response = unsafe response(answer.body, connection) else { return .NO }
    defer { unsafe library.functions.destroy_response(response) }
    for (name, value) in ResponsePolicy.headers + answer.headers {
      // A header that is refused, such as one with a line feed, is left out.
      _ = unsafe library.functions.add_response_header(response, name, value)
    }
    return unsafe library.functions.queue_response(
      connection, UInt32(clamping: answer.status), response)
  }

  private func restartTimeout(_ connection: OpaquePointer) {
    unsafe http_restart_timeout(library.functions, connection, timeout)
  }

  private func response(
    _ body: HTTPResponse.Body, _ connection: OpaquePointer
  ) -> OpaquePointer? {
    switch body {
    case .bytes(let bytes):
      return unsafe bytes.withUnsafeBytes { buffer in
        // It is copied, and not changed.
        unsafe library.functions.create_response_from_buffer(
          buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress),
          .RESPMEM_MUST_COPY)
      }
    case .channel(let channel):
      let reading = unsafe Unmanaged.passRetained(Reading(channel, connection, self)).toOpaque()
      // UInt64.max is MHD_SIZE_UNKNOWN, a macro that Swift does not import.
      return unsafe library.functions.create_response_from_callback(
        UInt64.max, Self.blockSize, Self.read, reading, Self.end)
    }
  }

  private static let read:
    @convention(c) (UnsafeMutableRawPointer?, UInt64, UnsafeMutablePointer<CChar>?, Int) -> Int = {
      context, _, target, count in
      // MHD_CONTENT_READER_END_OF_STREAM and MHD_CONTENT_READER_END_WITH_ERROR, which Swift does not import.
      let (end, failure) = (-1, -2)
      guard let context = unsafe context, let target = unsafe target else { return failure }
      let reading = unsafe Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
      if reading.sentCount == reading.bytes.count {
        reading.sentCount = 0
        switch reading.receive() {
        case .bytes(let bytes): reading.bytes = bytes
        case .end: return end
        case .failure: return failure
        }
      }
      let part = reading.bytes.dropFirst(reading.sentCount).prefix(count)
      unsafe part.copyBytes(
        to: UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(target), count: count))
      reading.sentCount += part.count
      return part.count
    }

  private static let end: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Reading>.fromOpaque(context).takeRetainedValue().channel.close()
  }
}
