import Foundation
import HoldfastTestSupport

/// A program of its own, compiled and linked with the built modules as an app is.
struct SwiftProgram {
  /// A program that does not compile, or that ended with a failure.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Whether there is a compiler and modules that it can use.
  static let canBeCompiled = objects != nil && succeeds("swiftc", ["--version"])

  private let executable: URL

  /// Compiles a program.
  ///
  /// - Parameters:
  ///   - sources: The files by their names; one of them is `main.swift`.
  ///   - files: Paths below the package's root of files that belong to it too.
  /// - Throws: ``Failure`` with the compiler's messages.
  init(_ sources: [String: String], with files: [String] = []) throws {
    let (folder, paths) = try Self.write(sources)
    executable = folder.appending(path: "program")
    let more = files.map { PackageFolder.root.appending(path: $0).path }
    let (status, text) = try Self.compile(
      paths + more + ["-o", executable.path] + (Self.objects ?? []))
    guard status == 0 else { throw Failure(description: text) }
  }

  /// Runs the program and waits for its end.
  ///
  /// - Parameter arguments: Its arguments.
  /// - Returns: What it printed.
  /// - Throws: ``Failure`` with what it printed when it ended with a failure.
  func run(_ arguments: String...) throws -> String {
    let (status, text) = try Self.run(executable.path, arguments)
    guard status == 0 else { throw Failure(description: text) }
    return text
  }

  /// What the compiler says about a `main.swift`.
  static func diagnostics(ofMain source: String) throws -> String {
    try diagnostics(of: ["main.swift": source])
  }

  /// What the compiler says about the files of a module, by their names.
  static func diagnostics(
    of sources: [String: String], languageMode: Int = 6
  ) throws -> String {
    // Checking types alone finds no race of data.
    try compile(
      ["-emit-sil", "-o", "/dev/null", "-wmo"] + write(sources).paths, languageMode: languageMode
    ).text
  }

  // MARK: - The compiler

  /// The folder of the build, which the tests lie in.
  private static let products: URL = {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (bundle ?? Bundle.main.bundleURL).deletingLastPathComponent()
    #else
      return Bundle.main.bundleURL
    #endif
  }()

  /// The objects of the libraries, as the build lists them for the tool.
  private static let objects: [String]? = {
    let list = products.appending(path: "holdfast.product/Objects.LinkFileList")
    // Without the list the tests that need it are skipped.
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").map(unquoted).filter { path in
      !path.contains("/HoldfastTool.build/")
    }
  }()

  /// A line of the list as a path: one with a space is quoted as for a shell.
  private static func unquoted(_ line: Substring) -> String {
    guard line.hasPrefix("'"), line.hasSuffix("'"), line.count > 1 else { return String(line) }
    return String(line.dropFirst().dropLast()).replacing("'\\''", with: "'")
  }

  /// Objects for a sanitizer, which `make test SANITIZE=…` builds in a folder of its name, need its library.
  private static let sanitizer = ["address", "thread"]
    .filter(products.pathComponents.contains).map { "-sanitize=\($0)" }

  private static func compile(
    _ arguments: [String], languageMode: Int = 6
  ) throws -> (status: Int32, text: String) {
    let maps = ["CSQLite", "CCrypto", "CLinux", "CZip", "CZlib", "CInflate"].flatMap { module in
      let map = PackageFolder.root.appending(path: "Sources/\(module)/module.modulemap").path
      return ["-Xcc", "-fmodule-map-file=\(map)"]
    }
    return try run(
      "/usr/bin/env",
      ["swiftc", "-swift-version", "\(languageMode)"]
        + ["-I", products.appending(path: "Modules").path]
        + ["-module-cache-path", products.appending(path: "ConsumerModuleCache").path]
        + sanitizer + maps
        + arguments)
  }

  private static func write(_ sources: [String: String]) throws -> (folder: URL, paths: [String]) {
    let folder = try home.get().file(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in sources {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    return (folder, sources.keys.sorted().map { folder.appending(path: $0).path })
  }

  /// Where programs are written, until the tests end.
  private static let home: Result<TemporaryDirectory, any Error> = Result {
    let folder = try TemporaryDirectory()
    atexit { try? FileManager.default.removeItem(at: SwiftProgram.home.get().url) }
    return folder
  }

  private static func succeeds(_ program: String, _ arguments: [String]) -> Bool {
    do {
      return try run("/usr/bin/env", [program] + arguments).status == 0
    } catch {
      return false
    }
  }

  private static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }
}
