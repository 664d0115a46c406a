/// The tool's exit codes, from sysexits.h, and the shell's 128 + signal.
enum ExitCode: Int32, CaseIterable, Sendable {
  case success = 0
  case problemsFound = 1
  case usage = 64
  case badData = 65
  case noInput = 66
  case unavailable = 69
  case internalFault = 70
  case cannotCreate = 73
  case inputOutput = 74
  case interrupted = 130
  case outputClosed = 141

  /// The name of this kind of error, which is the value of `error` in JSON.
  var name: String {
    switch self {
    case .success: "success"
    case .problemsFound: "problems_found"
    case .usage: "usage"
    case .badData: "bad_data"
    case .noInput: "no_input"
    case .unavailable: "unavailable"
    case .internalFault: "internal"
    case .cannotCreate: "cannot_create"
    case .inputOutput: "input_output"
    case .interrupted: "interrupted"
    case .outputClosed: "output_closed"
    }
  }

  /// The description in `holdfast help`.
  var summary: String {
    switch self {
    case .success: "The command succeeded."
    case .problemsFound: "A check found problems."
    case .usage: "The command line is invalid."
    case .badData: "A file's content is invalid."
    case .noInput: "A file or folder to read is missing or unreadable."
    case .unavailable: "Something is busy or not available; try again later."
    case .internalFault: "A bug in the tool."
    case .cannotCreate: "A file or folder cannot be created."
    case .inputOutput: "Reading or writing failed, for example on a full disk."
    case .interrupted: "Ended by Ctrl-C."
    case .outputClosed: "The reader closed the output, as 'head' does."
    }
  }
}
