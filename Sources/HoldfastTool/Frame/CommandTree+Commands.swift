extension CommandTree {
  /// A verb with the words that call it.
  struct Command {
    /// The noun, if there is one, and the verb.
    var words: [String]
    var declaration: Declaration
  }

  /// All verbs in the order of the help.
  var commands: [Command] {
    nouns.flatMap { noun in
      noun.verbs.map {
        Command(words: [noun.name, $0.declaration.name], declaration: $0.declaration)
      }
    } + verbs.map { Command(words: [$0.declaration.name], declaration: $0.declaration) }
  }

  /// An option that stands in place of a command; `--help` also follows a noun or a verb.
  struct RootOption {
    var name: String
    var shortName: String?
    var summary: String

    var names: [String] { [name] + (shortName.map { [$0] } ?? []) }
    /// The spelling in the help: `--help, -h`.
    var spelling: String { names.joined(separator: ", ") }
  }

  static let helpOption = RootOption(name: "--help", shortName: "-h", summary: "Shows the help.")

  /// The command that explains others, which is not a verb.
  static let helpCommand = (
    name: "help", usage: "[NOUN [VERB]]", summary: "Shows help for the tool, a noun or a verb"
  )

  /// All options in place of a command.
  var rootOptions: [RootOption] {
    [Self.helpOption]
      + verbs.map(\.declaration).filter { $0.name.hasPrefix("-") }.map {
        RootOption(name: $0.name, shortName: $0.shortName, summary: $0.abstract)
      }
  }

  /// The first words of commands with their descriptions, without options such as `--version`.
  var firstWords: [HelpText.Item] {
    nouns.map { .init($0.name, $0.abstract) }
      + verbs.map(\.declaration).filter { !$0.name.hasPrefix("-") }.map {
        .init($0.name, $0.abstract)
      }
      + [.init(Self.helpCommand.name, Self.helpCommand.summary + ".")]
  }
}

extension Noun {
  /// The verbs with their descriptions.
  var verbWords: [HelpText.Item] {
    verbs.map { .init($0.declaration.name, $0.declaration.abstract) }
  }
}

extension Parameter {
  /// Whether a value follows the name: `--limit 5`.
  var takesValue: Bool { !(self is Flag) }
}
