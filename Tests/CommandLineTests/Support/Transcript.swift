import Foundation

@testable import HoldfastTool

/// Two files that replace standard output and standard error for a test's own console.
final class Transcript {
  private let folder: URL
  let console: Console

  /// Opens the files; with a number of columns, a stream behaves like a terminal of that width.
  init(outputColumns: Int? = nil, errorColumns: Int? = nil, isStyled: Bool = false) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func channel(_ name: String, _ columns: Int?) throws -> Console.Channel {
      let url = folder.appending(path: name)
      try Data().write(to: url)
      return Console.Channel(
        file: try FileHandle(forWritingTo: url), columns: columns, isStyled: isStyled)
    }
    self.folder = folder
    console = Console(
      output: try channel("output", outputColumns), errors: try channel("errors", errorColumns))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var output: String {
    get throws { try String(contentsOf: folder.appending(path: "output"), encoding: .utf8) }
  }

  var errors: String {
    get throws { try String(contentsOf: folder.appending(path: "errors"), encoding: .utf8) }
  }
}
