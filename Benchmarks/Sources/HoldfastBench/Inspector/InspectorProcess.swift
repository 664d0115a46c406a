import Foundation

/// A release build of the tool that serves its page, and what a bare client gets from it.
final class InspectorProcess {
  private static let variable = "HOLDFAST_BENCH_TOOL"

  /// Returns why there is no tool to start; `nil` when there is one.
  static var absence: String? {
    tool == nil ? "\(variable) names no release build of the tool; make bench sets it" : nil
  }

  private static var tool: String? { ProcessInfo.processInfo.environment[variable] }

  private let process = Process()
  private let port: UInt16
  private let base: String

  /// Starts the tool, and waits until it serves the page.
  init(_ url: URL) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: Self.tool ?? "")
    process.arguments = ["inspect", url.path, "--no-open", "--json"]
    process.standardOutput = output
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first,
      byte != UInt8(ascii: "\n")
    {
      line.append(byte)
    }
    struct Served: Decodable {
      var url: URL
      var port: UInt16
    }
    let served = try JSONDecoder().decode(Served.self, from: Data(line))
    port = served.port
    base = served.url.path
  }

  deinit {
    process.interrupt()
    process.waitUntilExit()
  }

  /// The greatest resident memory so far, in bytes.
  var peakMemory: Int { ProcessMemory.peak(of: process.processIdentifier) }

  /// Returns the body of the answer at an address below that of the page.
  func get(_ address: String) throws -> Data {
    let connection = try ask(address)
    defer { LoopbackSocket.end(connection, byReset: false) }
    var answer: [UInt8] = []
    while case let bytes = LoopbackSocket.receive(connection), !bytes.isEmpty { answer += bytes }
    let parts = Data(answer).split(at: Data("\r\n\r\n".utf8))
    guard let parts, answer.starts(with: Data("HTTP/1.1 200".utf8)) else {
      throw BenchmarkError.childFailed(
        "\(address): \(String(decoding: answer.prefix(300), as: UTF8.self))")
    }
    return parts.rest
  }

  /// Returns the identifiers of the databases on the page of a container.
  func databases() throws -> [String] {
    struct Overview: Decodable {
      struct Item: Decodable {
        var id: String
        var kind: String
      }
      var items: [Item]
    }
    return try JSONDecoder().decode(Overview.self, from: get("api/overview")).items
      .filter { $0.kind == "database" }.map(\.id)
  }

  /// Returns the identifier of the only database.
  func database() throws -> String {
    guard let id = try databases().first else { throw BenchmarkError.childFailed("no database") }
    return id
  }

  /// Opens the stream of a database's events, and waits for the first.
  func events(of database: String) throws -> EventStream {
    try EventStream(connection: ask("events?database=\(database)"))
  }

  private func ask(_ address: String) throws -> Int32 {
    let connection = try LoopbackSocket.connect(port: port)
    // Of this version, so that the answer ends with the connection and is not in parts.
    let request = "GET \(base)/\(address) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    guard LoopbackSocket.send(request.utf8, to: connection) else {
      throw LoopbackSocket.Refused(call: "send")
    }
    return connection
  }
}

extension Data {
  fileprivate func split(at separator: Data) -> (first: Data, rest: Data)? {
    guard let range = firstRange(of: separator) else { return nil }
    return (self[..<range.lowerBound], Data(self[range.upperBound...]))
  }
}
