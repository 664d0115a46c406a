internal import CMicroHTTPD
package import Foundation

/// The server of one page on the loopback address.
///
/// Each connection has a thread of its own, on which requests are answered: answers wait for SQLite and
/// for files, and must not hold a thread of Swift's pool. Requests that do not come from the page are
/// refused with an empty answer.
///
/// - SeeAlso: <https://www.gnu.org/software/libmicrohttpd/manual/libmicrohttpd.html>
// Sendable because what it refers to is set before the first request; libmicrohttpd may be called on any thread.
@safe package final class InspectorServer: @unchecked Sendable {
  /// The greatest number of connections, of which a browser has six for all its tabs.
  private static let mostConnections: UInt32 = 64

  /// The time in seconds after which a connection on which nothing moves is closed.
  package static let standardTimeout: UInt32 = 120

  /// The longest content of a request, in bytes.
  package static let longestBody = 16 << 20

  /// The port.
  package let port: UInt16

  /// The token, which begins the path of every request.
  package let token: String

  /// The address of the page.
  package var url: URL {
    // The token has only letters and digits.
    URL(string: "http://127.0.0.1:\(port)/\(token)/") ?? URL(filePath: "/")
  }

  private let library: HTTPLibrary
  private let daemon: OpaquePointer
  private let context: RequestContext

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - token: What begins the path of every request: letters and digits that nobody can guess.
  ///   - timeout: The time in seconds after which a connection on which nothing moves is closed. An answer
  ///     may take longer.
  ///   - handler: Answers a request, on the thread of its connection.
  /// - Throws: ``InspectorError`` with `.notStarted` when the port cannot be had, or with `.noLibrary` when
  ///   libmicrohttpd cannot be loaded.
  package init(
    port: UInt16, token: String = randomToken(), timeout: UInt32 = standardTimeout,
    handler: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(InspectorError) {
    let library = try HTTPLibrary.installed.get()
    let context = RequestContext(
      library: library, gate: RequestGate(token: token), timeout: timeout, handler: handler)
    var number: CInt = 0
    guard
      let daemon = unsafe http_start(
        library.functions, port, Self.mostConnections, RequestContext.handle, RequestContext.begin,
        RequestContext.end, Unmanaged.passUnretained(context).toOpaque(), timeout, &number)
    else {
      let reason = NSError(domain: NSPOSIXErrorDomain, code: Int(number)).localizedDescription
      throw .notStarted(port: port, reason: reason)
    }
    unsafe self.daemon = daemon
    self.port = unsafe http_port(library.functions, daemon)
    (self.library, self.token, self.context) = (library, token, context)
  }

  /// Stops the server, and waits until no request is answered any more.
  ///
  /// Channels of answers must be finished before.
  package func stop() { unsafe library.functions.stop_daemon(daemon) }

  /// Returns a token of 128 random bits.
  package static func randomToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
