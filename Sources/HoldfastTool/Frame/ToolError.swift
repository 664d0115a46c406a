/// What the tool itself refuses: a command line, or an output that takes no more.
struct ToolError: ReportedError {
  var exitCode: ExitCode
  var message: String
  var advice: String?
  var file: String?
  var underlying: (any Error)?
}
