import Foundation

// Every sentence the tool itself says about an error.
extension ToolError {
  // MARK: Command line

  static func unknownWord(_ word: String, in command: String, lookAlike: String?) -> ToolError {
    usage("'\(command)' does not know '\(word)'.", lookAlike: lookAlike, help: command)
  }

  static func missingVerb(of command: String, verbs: [String]) -> ToolError {
    usage(
      "'\(command)' needs a verb.",
      "Add one of \(verbs.joined(separator: ", ")), or see '\(command) --help'.")
  }

  static func unknownOption(_ name: String, of command: String, lookAlike: String?) -> ToolError {
    usage(
      "'\(command)' has no option '\(name)'.",
      lookAlike.map { "Did you mean '\($0)'? '\(command) --help' shows all options." }
        ?? "See '\(command) --help', or put -- before a word that begins with a hyphen.")
  }

  static func missingArgument(_ name: String, of command: String) -> ToolError {
    usage("'\(command)' needs \(name).", "Add it, or see '\(command) --help'.")
  }

  static func extraArgument(_ word: String, after command: String) -> ToolError {
    usage(
      "'\(command)' has no use for '\(word)'.",
      "Leave it out, or put quotes around words that belong together.")
  }

  static func missingValue(of option: String, spelling: String) -> ToolError {
    usage("'\(option)' needs a value.", "Write \(spelling).")
  }

  static func unwantedValue(_ value: String, of flag: String) -> ToolError {
    usage("'\(flag)' takes no value, but was given '\(value)'.", "Write \(flag) alone.")
  }

  static func givenTwice(_ option: String, first: String, second: String) -> ToolError {
    usage("'\(option)' was given twice, as '\(first)' and '\(second)'.", "Give it once.")
  }

  static func notAccepted(
    _ word: String, for name: String, expected: String, of command: String
  ) -> ToolError {
    usage("\(name) is \(expected), not '\(word)'.", "Correct it, or see '\(command) --help'.")
  }

  private static func usage(_ message: String, _ advice: String) -> ToolError {
    ToolError(exitCode: .usage, message: message, advice: advice)
  }

  private static func usage(_ message: String, lookAlike: String?, help: String) -> ToolError {
    usage(
      message,
      lookAlike.map { "Did you mean '\($0)'? '\(help) --help' shows all there is." }
        ?? "See '\(help) --help'.")
  }

  // MARK: Input

  static func noFile(_ path: String) -> ToolError {
    ToolError(
      exitCode: .noInput, message: "There is no file '\(path)'.",
      advice: "Check the path; it is relative to the current folder.")
  }

  // MARK: Output

  /// Is not printed: who stopped reading knows it (``Output/report(_:)``).
  static func outputClosed(_ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .outputClosed, message: "Nobody reads the output any more.", underlying: cause)
  }

  static func outputNotWritten(reason: String, _ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .inputOutput,
      message: "Standard output could not be written: \(reason).",
      advice: "Send the output somewhere that is open for writing and has room, and run it again.",
      underlying: cause)
  }

  // MARK: Demo

  static func demoFolderInUse(_ path: String) -> ToolError {
    ToolError(
      exitCode: .cannotCreate, message: "'\(path)' holds files that are not the demo's.",
      advice: "Name an empty folder, or one that does not exist yet.")
  }

  static func demoFolderNotMade(_ path: String, _ cause: any Error) -> ToolError {
    ToolError(
      exitCode: .cannotCreate,
      message: "The demo cannot use '\(path)': \(cause.localizedDescription)",
      advice: "Name a folder that you may write to.", underlying: cause)
  }

  static func sampleMissing() -> ToolError {
    ToolError(
      exitCode: .noInput, message: "The sample feed is not there: it lies beside the tool.",
      advice: "Run the tool where it was built, or copy its folder of resources with it.")
  }

  static func demoDisproved(_ sentence: String) -> ToolError {
    ToolError(
      exitCode: .internalFault, message: "The demo expected that \(sentence), and it is not so.",
      advice: "Please report it with everything the demo printed.")
  }

  static func noExecutable() -> ToolError {
    ToolError(
      exitCode: .unavailable, message: "The demo cannot find its own program to run it twice.",
      advice: "Run it by its path.")
  }

  static func secondProcessFailed(status: Int32) -> ToolError {
    ToolError(
      exitCode: .internalFault, message: "The second process ended with exit code \(status).",
      advice: "Run the command it was given by hand to see why.")
  }

  // MARK: Faults

  static func unexpected(_ error: any Error) -> ToolError {
    ToolError(
      exitCode: .internalFault,
      message: "Something happened that holdfast does not expect: \(error).",
      advice: "Please report it, with the command you ran and this text.",
      underlying: error)
  }
}
