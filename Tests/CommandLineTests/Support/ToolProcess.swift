import Foundation

/// The built tool, run as a child of the test.
enum ToolProcess {
  struct Result {
    /// The exit code, or the negative number of the signal that ended the process.
    var status: Int32
    var output: String
    var errors: String
  }

  /// The executable, which the build places next to the test bundle.
  static let executable: URL = {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
        .appending(path: "holdfast")
    #else
      return Bundle.main.bundleURL.appending(path: "holdfast")
    #endif
  }()

  /// Runs the tool with the words and waits until it ends.
  static func run(_ words: String..., in folder: URL? = nil) throws -> Result {
    try run(executable, words, in: folder)
  }

  /// Runs the tool with an array of words and waits until it ends.
  static func run(words: [String], in folder: URL? = nil) throws -> Result {
    try run(executable, words, in: folder)
  }

  /// Runs a line of shell in which `"$HOLDFAST"` is the tool.
  static func shell(_ line: String, in folder: URL? = nil) throws -> Result {
    try run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line], environment: ["HOLDFAST": executable.path],
      in: folder)
  }

  /// Runs the tool with its standard output in a pipe that is never read.
  static func runUnread(_ words: String...) throws -> Result {
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    return try run(executable, words, output: pipe.fileHandleForWriting)
  }

  /// Runs a program and waits until it ends.
  static func run(
    _ executable: URL, _ words: [String], environment: [String: String] = [:],
    in currentFolder: URL? = nil, output: FileHandle? = nil
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files, because a pipe that is read only after the end can fill up before it.
    let files = [folder.appending(path: "output"), folder.appending(path: "errors")]
    for file in files { try Data().write(to: file) }

    let process = Process()
    process.executableURL = executable
    process.arguments = words
    if let currentFolder { process.currentDirectoryURL = currentFolder }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try output ?? FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      output: try String(contentsOf: files[0], encoding: .utf8),
      errors: try String(contentsOf: files[1], encoding: .utf8))
  }
}
