/// The completion script of a command tree for fish.
///
/// - SeeAlso: <https://fishshell.com/docs/current/completions.html>
struct FishCompletion {
  let tree: CommandTree

  var script: String {
    """
    # Completions of \(tree.name) for fish, made by '\(tree.name) completions fish'.

    \(lines.map { "complete -c \(tree.name) \($0)" }.joined(separator: "\n"))
    """
  }

  private var lines: [String] {
    let help = CommandTree.helpCommand.name
    let others = tree.firstWords.map(\.term).filter { $0 != help }.joined(separator: " ")
    let helpFirst =
      "__fish_seen_subcommand_from \(help); and not __fish_seen_subcommand_from \(others)"
    return ["-f"]
      + tree.rootOptions.map { "-n __fish_use_subcommand \($0.words)" }
      + tree.firstWords.map { "-n __fish_use_subcommand -a \($0.term) -d \($0.meaning.quoted)" }
      + tree.firstWords.map { "-n '\(helpFirst)' -a \($0.term)" }
      + tree.nouns.flatMap(lines(of:))
      + tree.commands.flatMap(lines(of:))
  }

  private func lines(of noun: Noun) -> [String] {
    let verbs = noun.verbWords.map(\.term).joined(separator: " ")
    let condition =
      "__fish_seen_subcommand_from \(noun.name); and not __fish_seen_subcommand_from \(verbs)"
    return ["-n '\(condition)' \(CommandTree.helpOption.words)"]
      + noun.verbWords.map { "-n '\(condition)' -a \($0.term) -d \($0.meaning.quoted)" }
  }

  private func lines(of command: CommandTree.Command) -> [String] {
    guard command.words.allSatisfy({ !$0.hasPrefix("-") }) else { return [] }
    let condition = command.words.map { "__fish_seen_subcommand_from \($0)" }
      .joined(separator: "; and ")
    let options = command.declaration.options.map { option in
      let value = option.takesValue ? option.value : ""
      return "-n '\(condition)' -l \(option.name.dropFirst(2))\(value) -d \(option.summary.quoted)"
    }
    let arguments = command.declaration.arguments.compactMap { argument -> String? in
      switch argument.completion {
      case .nothing: nil
      case .files: "-n '\(condition)' -F"
      case .words(let words): "-n '\(condition)' -a '\(words.joined(separator: " "))'"
      }
    }
    let distinct = arguments.enumerated().filter { !arguments[..<$0].contains($1) }.map(\.element)
    return options + ["-n '\(condition)' \(CommandTree.helpOption.words)"] + distinct
  }
}

extension CommandTree.RootOption {
  /// The options of fish's `complete` for this one.
  fileprivate var words: String {
    let short = shortName.map { "-s \($0.dropFirst()) " } ?? ""
    return "\(short)-l \(name.dropFirst(2)) -d \(summary.quoted)"
  }
}

extension Parameter {
  /// The options of fish's `complete` for a parameter's value.
  fileprivate var value: String {
    switch completion {
    case .nothing: " -x"
    case .files: " -r -F"
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    }
  }
}

extension String {
  /// This text in single quotes, in which fish has two escape sequences.
  fileprivate var quoted: String {
    "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
