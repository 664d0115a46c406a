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

  /// The first words of commands with their descriptions, without options such as `--version`.
  var firstWords: [HelpText.Item] {
    nouns.map { .init($0.name, $0.abstract) }
      + verbs.map(\.declaration).filter { !$0.name.hasPrefix("-") }.map {
        .init($0.name, $0.abstract)
      }
      + [.init("help", "Explains the tool, a noun or a verb.")]
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
