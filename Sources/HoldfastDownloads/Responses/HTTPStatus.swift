/// The status codes of responses.
enum HTTPStatus {
  /// Returns whether a request that got a status may succeed later as it is.
  ///
  /// A code that no standard defines is one of its class: those of a gateway that does not reach the server, such as
  /// 520 and 522, are like 500.
  ///
  /// - Parameter status: The code: a server that is busy, starting or behind a gateway that does not reach it,
  ///   or a limit of requests.
  /// - Returns: Whether the request is repeated.
  /// - SeeAlso: RFC 9110, section 15; RFC 6585, section 4; RFC 8470, section 5.2.
  static func isTemporary(_ status: Int) -> Bool {
    switch status {
    case 408, 425, 429: true
    // What the server does not do, and a log-in page of the network.
    case 501, 505, 506, 507, 508, 510, 511: false
    default: (500...599).contains(status)
    }
  }
}
