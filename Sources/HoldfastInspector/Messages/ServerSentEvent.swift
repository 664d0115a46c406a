package import Foundation

/// An event of an event stream.
///
/// - SeeAlso: <https://html.spec.whatwg.org/multipage/server-sent-events.html>
package struct ServerSentEvent: Sendable {
  /// The kind of the event, in letters.
  package var name: String

  /// The event's number, which the browser sends when it connects again.
  package var number: Int

  /// The data: JSON on one line.
  package var json: String

  /// Creates an event.
  package init(_ name: String, number: Int, json: String) {
    (self.name, self.number, self.json) = (name, number, json)
  }

  /// The event as it is sent.
  package var bytes: Data { Data("id: \(number)\nevent: \(name)\ndata: \(json)\n\n".utf8) }

  /// A comment that says, while nothing happens, that the stream is alive.
  package static let heartbeat = Data(": alive\n\n".utf8)

  /// Creates the answer whose content are events.
  package static func response(_ channel: ByteChannel) -> HTTPResponse {
    HTTPResponse(
      headers: [("Content-Type", "text/event-stream; charset=utf-8"), ("X-Accel-Buffering", "no")],
      body: .channel(channel))
  }
}
