/// The help for a level of the command tree, generated from the declarations.
struct HelpText: Equatable {
  /// A part of the help; an empty line separates parts.
  enum Section: Equatable {
    case paragraph(String)
    /// The usage of a command; a part such as `[--limit N]` is not broken across lines.
    case usage([String])
    /// Terms, with their meanings in a second column.
    case list(String, [Item])
    /// A command line, which is not wrapped, so that it can be pasted.
    case example(String)
  }

  struct Item: Equatable {
    var term: String
    var meaning: String

    init(_ term: String, _ meaning: String) {
      (self.term, self.meaning) = (term, meaning)
    }
  }

  var sections: [Section]

  /// Returns the lines of the help.
  ///
  /// - Parameter columns: The width of the terminal, to which prose is wrapped; `nil` for a file or
  ///   a pipe, where it is not wrapped.
  /// - Returns: The lines, without line endings.
  func lines(columns: Int?) -> [String] {
    Array(sections.map { $0.lines(columns: columns) }.joined(separator: [""]))
  }
}

extension HelpText.Section {
  /// The smallest width of a meaning; if there is less room, it is printed below its term.
  private static let leastMeaning = 24

  fileprivate func lines(columns: Int?) -> [String] {
    switch self {
    case .paragraph(let text):
      return columns.map(text.wrapped) ?? [text]
    case .usage(let pieces):
      return pieces.reduce(into: ["Usage:"]) { lines, piece in
        let line = lines[lines.count - 1]
        if line.displayWidth + 1 + piece.displayWidth <= columns ?? .max {
          lines[lines.count - 1] = "\(line) \(piece)"
        } else {
          lines.append("  \(piece)")
        }
      }
    case .list(let title, let items):
      let width = items.map(\.term.displayWidth).reduce(0, max) + 4
      return ["\(title):"] + items.flatMap { Self.lines(of: $0, column: width, columns) }
    case .example(let line):
      return ["Example:", "  \(line)"]
    }
  }

  private static func lines(of item: HelpText.Item, column: Int, _ columns: Int?) -> [String] {
    guard let columns else {
      return ["  " + item.term.padding(toColumn: column - 2) + item.meaning]
    }
    let isBelow = columns - column < leastMeaning
    let column = isBelow ? min(6, columns / 4) : column
    let blank = String(repeating: " ", count: column)
    let meaning = item.meaning.wrapped(toColumns: max(columns - column, 1))
    if isBelow { return ["  " + item.term] + meaning.map { blank + $0 } }
    return meaning.enumerated().map { number, line in
      (number == 0 ? "  " + item.term.padding(toColumn: column - 2) : blank) + line
    }
  }
}

extension CommandTree {
  /// The overview: the commands and the exit codes.
  var help: HelpText {
    HelpText(
      sections: [.paragraph(abstract), .usage([name, "<noun>", "<verb>", "…"])]
        + nouns.map { noun in
          .list(noun.abstract, noun.verbs.map { .init("\(noun.name) \($0.name)", $0.abstract) })
        }
        + [
          .list(
            "Other commands",
            verbs.map { .init($0.names, $0.abstract) }
              + [
                .init(
                  "\(Self.helpCommand.name) \(Self.helpCommand.usage)",
                  "\(Self.helpCommand.summary), as does --help.")
              ]
          ),
          .list("Exit codes", ExitCode.allCases.map { .init("\($0.rawValue)", $0.summary) }),
        ])
  }

  /// Returns the help on a noun: its verbs.
  func help(on noun: Noun) -> HelpText {
    HelpText(sections: [
      .paragraph(noun.abstract),
      .usage(["\(name) \(noun.name)", "<verb>", "…"]),
      .list("Verbs", noun.verbs.map { .init($0.name, $0.abstract) }),
      .paragraph("'\(name) help \(noun.name) VERB' explains one."),
    ])
  }
}

extension Declaration {
  /// Returns the help on a verb: its description, its parameters and an example.
  func help(_ command: String) -> HelpText {
    var sections: [HelpText.Section] = [.paragraph(abstract), .usage([command] + usage)]
    if !arguments.isEmpty {
      sections.append(.list("Arguments", arguments.map { .init($0.spelling, $0.summary) }))
    }
    sections.append(
      .list(
        "Options",
        options.map { .init($0.spelling, $0.summary) }
          + [.init(CommandTree.helpOption.spelling, "Shows this help.")]))
    if !example.isEmpty { sections.append(.example("\(command) \(example)")) }
    return HelpText(sections: sections)
  }

  /// The positional parameters.
  var arguments: [any Parameter] { parameters.filter { !$0.name.hasPrefix("-") } }

  /// The named parameters.
  var options: [any Parameter] { parameters.filter { $0.name.hasPrefix("-") } }

  /// The usage of all parameters, with brackets around optional ones.
  var usage: [String] { arguments.map(\.usage) + options.map(\.usage) }
}

extension Verb {
  fileprivate var name: String { declaration.name }
  fileprivate var names: String {
    declaration.shortName.map { "\(name), \($0)" } ?? name
  }
  fileprivate var abstract: String { declaration.abstract }
}

extension Parameter {
  fileprivate var usage: String { absent == nil ? spelling : "[\(spelling)]" }
}
