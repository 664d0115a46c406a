import Foundation

/// Server-sent events, as a client without a browser reads them.
///
/// - SeeAlso: <https://html.spec.whatwg.org/multipage/server-sent-events.html>
final class EventStream {
  private let connection: Int32
  private var bytes: [UInt8] = []

  /// Reads the head of the answer and the first event, which is the state.
  init(connection: Int32) throws {
    self.connection = connection
    while try next() != "state" {}
  }

  deinit {
    LoopbackSocket.end(connection, byReset: false)
  }

  /// Waits for an event of a name.
  func wait(for name: String) throws {
    while try next() != name {}
  }

  /// Waits for the next block of lines, and returns the name of its event.
  private func next() throws -> String? {
    while true {
      if let end = bytes.firstRange(of: Array("\n\n".utf8)) {
        let block = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        bytes.removeFirst(end.upperBound)
        let line = block.split(whereSeparator: \.isNewline).first { $0.hasPrefix("event: ") }
        return line.map { String($0.dropFirst("event: ".count)) }
      }
      let received = LoopbackSocket.receive(connection)
      guard !received.isEmpty else { throw LoopbackSocket.Refused(call: "recv") }
      bytes += received
    }
  }

  /// Reads all that comes until the stream is ended, and returns how many events of a name came.
  func count(of name: String) -> Int {
    var count = 0
    while let next = try? next() { count += next == name ? 1 : 0 }
    return count
  }

  /// Ends the stream, also for a thread that waits for an event.
  func end() {
    LoopbackSocket.shutDown(connection)
  }
}
