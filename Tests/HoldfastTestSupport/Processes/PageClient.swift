public import Foundation

/// A client of a server on this machine, by `curl`: it sends whatever headers a test wants.
public struct PageClient: Sendable {
  /// What came back.
  public struct Answer: Sendable {
    /// The status; 0 when there was no answer.
    public var status: Int
    /// The headers, by their names in lowercase.
    public var headers: [String: String]
    /// The content.
    public var body: Data
    /// Whether all of the content came; `false` where the server broke the connection.
    public var isWhole: Bool

    /// The body as a text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as an object in JSON; empty when it is none.
    public var object: [String: Any] {
      ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any]) ?? [:]
    }
  }

  /// The address before the paths, with a slash at its end.
  public let base: String

  /// Creates a client.
  public init(base: String) { self.base = base }

  /// Sends a request, and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - path: The path after the base.
  ///   - options: Further options of `curl`, such as `-H`.
  ///   - body: The content of a `POST`.
  /// - Returns: The answer; one with the status 0 when there was none.
  /// - Throws: An error when `curl` cannot be started.
  public func send(_ path: String, _ options: [String] = [], body: Data? = nil) throws -> Answer {
    let folder = try TemporaryDirectory()
    var words = ["-s", "-S", "-D", folder.file("head").path, "-o", folder.file("body").path]
    if let body {
      try body.write(to: folder.file("sent"))
      words += ["--data-binary", "@\(folder.file("sent").path)"]
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // Parts of a path that lead up are sent as they are.
    process.arguments = ["curl", "--path-as-is", "--globoff"] + words + options + [base + path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let head = (try? String(contentsOf: folder.file("head"), encoding: .isoLatin1)) ?? ""
    // Others come before the answer itself, such as "100 Continue".
    let all = head.split(whereSeparator: \.isNewline)
    let lines = all[(all.lastIndex { $0.hasPrefix("HTTP/") } ?? 0)...]
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(
      status: status, headers: headers,
      body: (try? Data(contentsOf: folder.file("body"))) ?? Data(),
      isWhole: process.terminationStatus == 0)
  }

  /// Returns a text as a part of a path or as a value in a query.
  public static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

/// A stream of events on this machine, read line by line.
public final class EventReader: Sendable {
  private let process = Process()
  private let output: FileHandle

  /// Connects to a stream.
  public init(_ url: String) throws {
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["curl", "-s", "-N", url]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    try pipe.fileHandleForWriting.close()
  }

  /// Waits for the next event of a name, and returns its data; `nil` at the end of the stream.
  public func next(_ name: String) throws -> [String: Any]? {
    var isWanted = false
    while let line = try line() {
      if line.hasPrefix("event: ") { isWanted = line.dropFirst(7) == name }
      if line.hasPrefix("data: "), isWanted {
        return try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
          as? [String: Any]
      }
    }
    return nil
  }

  /// Waits for the next event, and returns its name; `nil` at the end of the stream.
  public func nextName() throws -> String? {
    while let line = try line() {
      if line.hasPrefix("event: ") { return String(line.dropFirst(7)) }
    }
    return nil
  }

  private func line() throws -> String? {
    var line: [UInt8] = []
    while let byte = try output.read(upToCount: 1)?.first {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }

  /// Disconnects.
  ///
  /// A child of a thread of Dispatch has most signals blocked, and does not end by one of them.
  public func end() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
