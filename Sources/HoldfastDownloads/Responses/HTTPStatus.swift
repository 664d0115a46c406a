/// The status codes of responses.
enum HTTPStatus {
  /// Returns whether a request that got a status may succeed later as it is.
  ///
  /// - Parameter status: The code: a server that is busy, starting or behind a gateway that does not reach it,
  ///   or a limit of requests.
  /// - Returns: Whether the request is repeated.
  /// - SeeAlso: RFC 9110, section 15; RFC 6585, section 4; RFC 8470, section 5.2.
  static func isTemporary(_ status: Int) -> Bool {
    [408, 425, 429, 500, 502, 503, 504].contains(status)
  }
}
