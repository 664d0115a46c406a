import Foundation
import HoldfastTestSupport
import Testing

/// Google's Python package for GTFS-Realtime, in another process.
///
/// - SeeAlso: <https://pypi.org/project/gtfs-realtime-bindings>
enum RealtimeBindings {
  static let absence: Comment =
    "gtfs-realtime-bindings are not installed for python3, and pip could not install them"

  private static let requirement = "gtfs-realtime-bindings==3.0.0"

  static var arePresent: Bool { path != nil }

  /// The folder in which Python finds the package; empty if it does so by itself.
  private static let path: String? = {
    if isImported(from: "") { return "" }
    let manager = FileManager.default
    let folder = PackageFolder.root.appending(path: ".build/\(requirement)")
    if isImported(from: folder.path) { return folder.path }
    // Installed aside: another process may be doing the same.
    let aside = folder.appendingPathExtension(UUID().uuidString)
    defer { try? manager.removeItem(at: aside) }
    _ = try? run(
      [
        "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
        "--retries", "1", "--timeout", "10", "--target", aside.path, requirement,
      ], path: "")
    try? manager.moveItem(at: aside, to: folder)
    return isImported(from: folder.path) ? folder.path : nil
  }()

  private static func isImported(from path: String) -> Bool {
    let import_ = ["-c", "import google.transit.gtfs_realtime_pb2"]
    return (try? run(import_, path: path).status) == 0
  }

  /// Runs a script of Python that can import the package.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of Python.
  ///   - input: The standard input.
  /// - Returns: The standard output.
  /// - Throws: An `ExpectationFailedError` when the script fails.
  static func output(of arguments: [String], input: Data = Data()) throws -> Data {
    let result = try run(arguments, input: input, path: try #require(path))
    try #require(result.status == 0, "python3 failed")
    return result.output
  }

  private static func run(
    _ arguments: [String], input: Data = Data(), path: String
  ) throws -> (status: Int32, output: Data) {
    let directory = try TemporaryDirectory()
    try input.write(to: directory.file("input"))
    try Data().write(to: directory.file("output"))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      path.isEmpty ? [:] : ["PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"]
    ) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: directory.file("input"))
    process.standardOutput = try FileHandle(forWritingTo: directory.file("output"))
    process.standardError = path.isEmpty ? FileHandle.nullDevice : FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try Data(contentsOf: directory.file("output")))
  }
}
