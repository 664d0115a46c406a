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

  // MARK: Faults

  static func unexpected(_ error: any Error) -> ToolError {
    ToolError(
      exitCode: .internalFault,
      message: "Something happened that holdfast does not expect: \(error).",
      advice: "Please report it, with the command you ran and this text.",
      underlying: error)
  }
}
