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

  init(_ error: any Error) {
    self.error = error as? any ReportedError ?? ToolError.unexpected(error)
  }

  /// What happened and, where the error knows it, what to do; each is one line.
  var lines: [String] {
    [error.message, error.advice].compactMap { $0?.escapingControls }
  }

  /// The same for programs; every key is always there, null when unknown.
  var record: Record {
    [
      "error": .text(error.name),
      "message": .text(error.message),
      "advice": Cell(error.advice),
      "file": Cell(error.file),
      "line": Cell(error.line),
      "field": Cell(error.field),
    ]
  }
}
