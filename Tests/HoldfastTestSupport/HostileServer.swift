public import Foundation
import Synchronization

/// A server on the loopback interface that sends exactly the bytes that a test wants, right or wrong.
public final class HostileServer: Sendable {
  /// A request that arrived.
  public struct Request: Sendable, Hashable {
    /// The path, with the query.
    public var path: String
    /// The fields by their names in lowercase; those that were sent twice are joined by a comma.
    public var fields: [String: String]

    /// Creates a request.
    public init(path: String, fields: [String: String]) {
      self.path = path
      self.fields = fields
    }

    /// The first byte of the requested range; `nil` without a range.
    public var first: Int? {
      fields["range"]?.split(separator: "=").last?.split(separator: "-").first.flatMap { Int($0) }
    }

    /// The last byte of the requested range; `nil` without one.
    public var last: Int? {
      fields["range"]?.split(separator: "-").last.flatMap { Int($0) }
    }
  }

  /// The reply to a request.
  public struct Reply: Sendable {
    /// The bytes that are sent, from the status line on.
    public var bytes: Data
    /// What is waited for before the rest is sent.
    public var gate: Gate?
    /// The bytes that are sent after the gate is open.
    public var rest = Data()
    /// Whether the connection is reset afterwards, rather than ended.
    public var isReset = false
    /// How many times `rest` is sent.
    public var repetitions = 1

    /// A reply of bytes, after which the connection ends.
    public init(_ bytes: Data) {
      self.bytes = bytes
    }

    /// A reply with a status, fields and a body.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields; `Content-Length` is that of the body unless it is given.
    ///   - body: The body.
    public init(_ status: Int, _ fields: [String: String] = [:], _ body: some Sequence<UInt8> = [])
    {
      let body = Data(body)
      var fields = fields
      if fields["Content-Length"] == nil { fields["Content-Length"] = "\(body.count)" }
      fields["Connection"] = "close"
      // An empty value leaves the field out.
      let lines = fields.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.sorted()
      bytes = Data("HTTP/1.1 \(status) Status\r\n\(lines.joined())\r\n".utf8) + body
    }
  }

  /// The port.
  public let port: Int

  private let descriptor: Int32
  private let arrived = Journal<Request>()

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - counts: Where the connections are counted while their replies are made and sent.
  ///   - reply: Returns the reply to a request; the number counts the requests from 1.
  /// - Throws: An error when there is no socket.
  public init(
    countedBy counts: [LiveConnections] = [],
    _ reply: @escaping @Sendable (_ request: Request, _ number: Int) -> Reply
  ) throws {
    let descriptor = try LoopbackSocket.listen()
    self.descriptor = descriptor
    port = try LoopbackSocket.port(of: descriptor)
    let arrived = arrived
    let counter = Counter()
    Thread.detachNewThread {
      while let connection = LoopbackSocket.accept(descriptor) {
        Thread.detachNewThread {
          guard let request = Self.readRequest(connection) else {
            return LoopbackSocket.end(connection, byReset: false)
          }
          let number = counter.next()
          arrived.append(request)
          let numbers = counts.map { $0.add(connection) }
          let reply = reply(request, number)
          // The client has the last byte before this thread continues.
          if reply.rest.isEmpty {
            for (live, number) in zip(counts, numbers) { live.remove(number) }
          }
          defer { for (live, number) in zip(counts, numbers) { live.remove(number) } }
          var isThere = LoopbackSocket.send(reply.bytes, to: connection)
          reply.gate?.wait()
          for _ in 0..<reply.repetitions where isThere {
            isThere = LoopbackSocket.send(reply.rest, to: connection)
          }
          LoopbackSocket.end(connection, byReset: reply.isReset)
        }
      }
      LoopbackSocket.end(descriptor, byReset: false)
    }
  }

  deinit {
    LoopbackSocket.shutDown(descriptor)
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// The requests so far.
  public var requests: [Request] { arrived.entries }

  /// Returns a URL of the server.
  ///
  /// - Parameter path: The path after the slash.
  /// - Returns: An http URL.
  public func url(_ path: String = "file") -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(path)") ?? URL(filePath: "/")
  }

  private static func readRequest(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while !bytes.suffix(4).elementsEqual(end) {
      let more = LoopbackSocket.receive(connection)
      guard !more.isEmpty else { return nil }
      bytes += more
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    var request = Request(path: "", fields: [:])
    for (index, line) in lines.enumerated() {
      if index == 0 {
        request.path = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        continue
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      request.fields[name] = request.fields[name].map { $0 + "," + value } ?? value
    }
    return request
  }
}
