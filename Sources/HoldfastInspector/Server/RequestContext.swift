internal import CMicroHTTPD
internal import Foundation

/// The context of libmicrohttpd's callbacks.
final class RequestContext: Sendable {
  private let library: HTTPLibrary
  private let gate: RequestGate
  private let timeout: UInt32
  private let handler: @Sendable (HTTPRequest) -> HTTPResponse

  init(
    library: HTTPLibrary, gate: RequestGate, timeout: UInt32,
    handler: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) {
    (self.library, self.gate, self.timeout, self.handler) = (library, gate, timeout, handler)
  }

  /// A request while it arrives.
  private final class Arriving {
    let rawTarget: String
    /// The target of the request, once it is decided; the outer level is `nil` before.
    var target: RequestTarget??
    var host: String?
    var body = Data()
    var isTooLong = false

    init(_ rawTarget: String) { self.rawTarget = rawTarget }
  }

  /// Called with the first line of a request, before libmicrohttpd decodes it.
  static let begin:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
      UnsafeMutableRawPointer? = { _, target, _ in
        let text = unsafe target.map { unsafe String(cString: $0) } ?? ""
        return unsafe Unmanaged.passRetained(Arriving(text)).toOpaque()
      }

  /// Called when a request is over.
  static let end:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
      MHD_RequestTerminationCode
    ) -> Void = { _, _, state, _ in
      guard let state = unsafe state, let pointer = unsafe state.pointee else { return }
      unsafe state.pointee = nil
      unsafe Unmanaged<Arriving>.fromOpaque(pointer).release()
    }

  /// Called with the headers, with each part of the content, and at its end.
  static let handle:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result = { context, connection, _, method, _, data, count, state in
      guard let context = unsafe context, let connection = unsafe connection,
        let method = unsafe method, let count = unsafe count,
        let pointer = unsafe state?.pointee
      else { return .NO }
      let server = unsafe Unmanaged<RequestContext>.fromOpaque(context).takeUnretainedValue()
      let request = unsafe Unmanaged<Arriving>.fromOpaque(pointer).takeUnretainedValue()
      let word = unsafe String(cString: method)
      guard let target = request.target else {
        request.target = .some(unsafe server.target(of: request, word, connection))
        return .YES
      }
      if unsafe count.pointee > 0, let data = unsafe data {
        // What is refused is not kept.
        if target != nil, !request.isTooLong {
          unsafe data.withMemoryRebound(to: UInt8.self, capacity: count.pointee) { bytes in
            unsafe request.body.append(bytes, count: count.pointee)
          }
          request.isTooLong = request.body.count > InspectorServer.longestBody
          if request.isTooLong { request.body = Data() }
        }
        unsafe count.pointee = 0
        return .YES
      }
      return unsafe server.answer(request, target, word, connection)
    }

  private func target(
    of request: Arriving, _ method: String, _ connection: OpaquePointer
  ) -> RequestTarget? {
    func header(_ name: String) -> String? {
      unsafe library.functions.lookup_connection_value(connection, .HEADER_KIND, name)
        .map { unsafe String(cString: $0) }
    }
    request.host = header("Host")
    return gate.target(
      of: RequestGate.Head(
        method: method, target: request.rawTarget, host: request.host,
        origin: header("Origin"), fetchSite: header("Sec-Fetch-Site"),
        fetchMode: header("Sec-Fetch-Mode")))
  }

  private func answer(
    _ request: Arriving, _ target: RequestTarget?, _ method: String, _ connection: OpaquePointer
  ) -> MHD_Result {
    let response: HTTPResponse
    if request.isTooLong {
      response = HTTPResponse(status: 413)
    } else if let target {
      response = handler(
        HTTPRequest(
          method: method == "HEAD" ? "GET" : method, path: Array(target.path.dropFirst()),
          query: target.query, body: request.body,
          base: "http://\(request.host ?? "")/\(gate.token)/"))
    } else {
      response = .forbidden
    }
    return unsafe ResponseSending(library: library, timeout: timeout).send(response, to: connection)
  }
}
