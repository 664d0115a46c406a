import Foundation
import HoldfastTestSupport

/// Chromium, and the tests of the inspector's page that are driven in it.
///
/// `Scripts/page-browser` installs what they need; they are written in Python, in `Tests/InspectorPage`.
enum PageBrowser {
  /// What became of one test.
  struct Outcome: Decodable {
    var name: String
    /// What was seen instead; `nil` if all was as promised.
    var failure: String?
  }

  private static let python = PackageFolder.root.appending(path: ".build/page-browser/bin/python")

  static var isInstalled: Bool {
    let installed = PackageFolder.root.appending(path: ".build/page-browser/installed")
    let browsers = ["chromium", "chromium-browser", "google-chrome"]
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return FileManager.default.fileExists(atPath: installed.path)
      && folders.contains { folder in
        browsers.contains { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
      }
  }

  static let absence = "Chromium or what drives it is not installed; see Scripts/page-browser"

  /// Runs the tests with the built tool.
  ///
  /// - Parameter isLong: Whether every view is looked at in every shape, which takes some minutes.
  /// - Returns: The outcomes, and what the process said besides.
  /// - Throws: The errors of a process that cannot be started, or of lines that are no outcomes.
  static func outcomes(isLong: Bool) throws -> (outcomes: [Outcome], errors: String) {
    let script = PackageFolder.root.appending(path: "Tests/InspectorPage/run.py")
    let result = try ToolProcess.run(
      python, [script.path, ToolProcess.executable.path] + (isLong ? ["--long"] : []),
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    let outcomes = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Outcome.self, from: Data($0.utf8))
    }
    return (outcomes, result.errors)
  }
}
