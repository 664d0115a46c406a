import Foundation

/// A second process that runs this tool.
enum SecondProcess {
  private struct FoundStop: Decodable {
    var name: String

    enum CodingKeys: String, CodingKey { case name = "stop_name" }
  }

  /// Searches a database from another process.
  ///
  /// - Returns: The process's number, and the names that it found.
  static func stopNames(
    searching text: String, in database: String
  ) throws -> (process: Int32, names: [String]) {
    guard let executable = Bundle.main.executableURL else { throw ToolError.noExecutable() }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = executable
    process.arguments = ["transit", "search", database, text, "--json"]
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ToolError.secondProcessFailed(status: process.terminationStatus)
    }
    let names = try output.split(separator: UInt8(ascii: "\n")).map { line in
      try JSONDecoder().decode(FoundStop.self, from: Data(line)).name
    }
    return (process.processIdentifier, names)
  }
}
