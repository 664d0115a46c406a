import Foundation
import HoldfastTestSupport
import Testing

/// A running `holdfast inspect`.
final class InspectorProcess: Sendable {
  let process = Process()
  let client: PageClient
  /// The folder for its copies.
  let temporary: TemporaryDirectory

  /// Starts the tool, and waits until it serves the page.
  init(_ path: URL, _ words: String..., temporaryIn folder: URL? = nil) throws {
    temporary = try folder.map { try TemporaryDirectory(in: $0) } ?? TemporaryDirectory()
    let pipe = Pipe()
    process.executableURL = ToolProcess.executable
    process.arguments =
      ["inspect", path.path(percentEncoded: false), "--no-open", "--json"] + words
    process.environment = ProcessInfo.processInfo.environment.merging([
      "TMPDIR": temporary.url.path
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.runObeyingSignals()
    try pipe.fileHandleForWriting.close()
    var line: [UInt8] = []
    while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first,
      byte != UInt8(ascii: "\n")
    {
      line.append(byte)
    }
    let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
    client = PageClient(base: try #require(object?["url"] as? String))
  }

  var number: Int32 { process.processIdentifier }

  /// Asks for an answer in JSON.
  func get(_ path: String) throws -> [String: Any] {
    let answer = try client.send(path)
    try #require(answer.status == 200, "\(path): \(answer.status) \(answer.text)")
    return answer.object
  }

  /// Returns the identifier of an item.
  func id(of kind: String, named name: String? = nil) throws -> String {
    let items = try #require(try get("api/overview")["items"] as? [[String: Any]])
    let item = items.first {
      $0["kind"] as? String == kind && (name == nil || $0["path"] as? String == name)
    }
    return try #require(item?["id"] as? String, "\(items)")
  }

  /// Interrupts the tool, as Ctrl-C does, and returns its exit status.
  @discardableResult
  func interrupt() -> Int32 {
    process.interrupt()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
