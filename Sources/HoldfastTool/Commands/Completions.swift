/// `holdfast completions SHELL`.
struct Completions: Verb {
  private let shell = Argument("SHELL", "bash, zsh or fish.", .word(of: ["bash", "zsh", "fish"]))

  var declaration: Declaration {
    Declaration(
      "completions", "Prints a completion script for a shell.", shell,
      example: "bash")
  }

  func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
    let tree = CommandTree.holdfast
    let shell = arguments[shell]
    let script =
      switch shell {
      case "zsh": ZshCompletion(tree: tree).script
      case "fish": FishCompletion(tree: tree).script
      default: BashCompletion(tree: tree).script
      }
    switch output.format {
    case .json: try output.record(["shell": .text(shell), "script": .text(script)])
    case .table, .csv: try output.console.print(script)
    }
    return .success
  }
}
