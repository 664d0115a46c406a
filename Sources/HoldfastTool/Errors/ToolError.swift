/// An error of the tool itself, such as an invalid command line or a closed output.
struct ToolError: ReportedError {
  var exitCode: ExitCode
  var message: String
  var advice: String?
  var file: String?
  var underlying: (any Error)?
}
