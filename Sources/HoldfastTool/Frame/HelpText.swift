// The help of each level, made from the declarations alone.

extension CommandTree {
  /// The overview: what there is, and what the exit codes mean.
  var help: String {
    var sections = [
      abstract,
      "Usage: \(name) <noun> <verb> …",
    ]
    for noun in nouns {
      sections.append(
        Self.section(noun.abstract, noun.verbs.map { ("\(noun.name) \($0.name)", $0.abstract) }))
    }
    sections.append(
      Self.section(
        "Besides",
        verbs.map { ($0.name, $0.abstract) }
          + [("help [NOUN [VERB]]", "Explains the tool, a noun or a verb; so does --help.")]))
    sections.append(
      Self.section("Exit codes", ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) }))
    return sections.joined(separator: "\n\n")
  }

  /// The verbs of a noun.
  func help(on noun: Noun) -> String {
    let rows = noun.verbs.map { ($0.name, $0.abstract) }
    return [
      noun.abstract,
      "Usage: \(name) \(noun.name) <verb> …",
      Self.section("Verbs", rows),
      "'\(name) help \(noun.name) VERB' explains one.",
    ].joined(separator: "\n\n")
  }

  fileprivate static func section(
    _ title: String, _ rows: [(term: String, meaning: String)]
  ) -> String {
    let width = rows.map(\.term.count).max() ?? 0
    let lines = rows.map { row in
      "  " + row.term.padding(toColumn: width + 2) + row.meaning
    }
    return (["\(title):"] + lines).joined(separator: "\n")
  }
}

extension Declaration {
  /// What a verb does, what it can be given, and one call that works.
  func help(_ command: String) -> String {
    let arguments = parameters.filter { !$0.name.hasPrefix("-") }
    let options = parameters.filter { $0.name.hasPrefix("-") }
    let usage = [command] + arguments.map(\.usage) + options.map(\.usage)
    var sections = [abstract, "Usage: \(usage.joined(separator: " "))"]
    if !arguments.isEmpty {
      sections.append(
        CommandTree.section("Arguments", arguments.map { ($0.spelling, $0.summary) }))
    }
    sections.append(
      CommandTree.section(
        "Options",
        options.map { ($0.spelling, $0.summary) } + [("--help, -h", "Shows this help.")]))
    if !example.isEmpty {
      sections.append("Example:\n  \(command) \(example)")
    }
    return sections.joined(separator: "\n\n")
  }
}

extension Verb {
  fileprivate var name: String { declaration.name }
  fileprivate var abstract: String { declaration.abstract }
}

extension Parameter {
  /// Brackets for what may be left out.
  fileprivate var usage: String { absent == nil ? spelling : "[\(spelling)]" }
}
