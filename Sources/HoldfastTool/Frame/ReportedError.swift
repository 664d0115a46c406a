import Foundation
import Holdfast

/// An error that knows how to present itself on the command line.
///
/// A library's error joins in with one extension that gives the exit code for its own code, and
/// the file, line and field if it knows them.
protocol ReportedError: Error {
  var exitCode: ExitCode { get }
  /// What happened, in one sentence.
  var message: String { get }
  /// What to do next, in one sentence.
  var advice: String? { get }
  /// The machine's name for the error; the exit code's, unless the error has a finer one.
  var name: String { get }
  var file: String? { get }
  /// The line in `file`, counted from 1.
  var line: Int? { get }
  var field: String? { get }
}

extension ReportedError {
  var name: String { exitCode.name }
  var file: String? { nil }
  var line: Int? { nil }
  var field: String? { nil }
}

/// An error as the user sees it: two lines, or with `--json` one object.
struct ErrorReport {
  let error: any ReportedError
  private let paths: [URL]

  /// Prepares an error for the user.
  ///
  /// - Parameters:
  ///   - error: Any error; one that the tool does not know is a fault of the tool.
  ///   - paths: The paths of the command line. A library knows them as absolute ones; the report
  ///     spells them as they were given.
  init(_ error: any Error, paths: [URL] = []) {
    self.error =
      switch error {
      case let error as any ReportedError: error
      case let error as DatabaseError: ToolError.database(error)
      default: ToolError.unexpected(error)
      }
    self.paths = paths
  }

  /// What happened and, where the error knows it, what to do; each is one line.
  var lines: [String] {
    [error.message, error.advice].compactMap { $0.map(asGiven)?.escapingControls }
  }

  /// The same for programs; every key is always there, null when unknown.
  var record: Record {
    [
      "error": .text(error.name),
      "message": .text(asGiven(error.message)),
      "advice": Cell(error.advice.map(asGiven)),
      "file": Cell(error.file.map(asGiven)),
      "line": Cell(error.line),
      "field": Cell(error.field),
    ]
  }

  private func asGiven(_ text: String) -> String {
    paths.reduce(text) { text, url in
      var absolute = url.path(percentEncoded: false)
      if absolute.hasSuffix("/") { absolute.removeLast() }
      // A short one, as that of '/', could be meant otherwise.
      return absolute.count > 3 ? text.replacing(absolute, with: url.relativePath) : text
    }
  }
}
