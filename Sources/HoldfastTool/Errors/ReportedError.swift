import Foundation
import Holdfast

/// An error that can be presented on the command line.
///
/// A library's error conforms by an extension that maps its code to an exit code, and provides the
/// file, line and field if known.
protocol ReportedError: Error {
  var exitCode: ExitCode { get }
  /// A sentence that describes the failure.
  var message: String { get }
  /// A sentence that says what to do next.
  var advice: String? { get }
  /// The error's name for programs; the exit code's name, unless there is a more specific one.
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

/// An error in its printed form: two lines, or one object with `--json`.
struct ErrorReport {
  let error: any ReportedError
  private let paths: [URL]

  /// Prepares an error for printing.
  ///
  /// - Parameters:
  ///   - error: Any error; one of an unknown type is a bug in the tool.
  ///   - paths: The paths on the command line. Libraries report them as absolute paths; the report
  ///     spells them as they were given.
  init(_ error: any Error, paths: [URL] = []) {
    self.error =
      switch error {
      case let error as any ReportedError: error
      case let error as DatabaseError: ToolError.database(error)
      case let error as SharingError: ToolError.sharing(error)
      default: ToolError.unexpected(error)
      }
    self.paths = paths
  }

  /// The message and, if there is one, the advice; each is one line.
  var lines: [String] {
    [error.message, error.advice].compactMap { $0.map(asGiven)?.escapingControls }
  }

  /// The same for programs; every key is always present, and null when unknown.
  var record: OutputRecord {
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
      // A short path, such as '/', could occur in the text with another meaning.
      return absolute.count > 3 ? text.replacing(absolute, with: url.relativePath) : text
    }
  }
}
