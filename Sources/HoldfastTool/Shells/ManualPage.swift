/// The manual page of a command tree, in roff.
///
/// - SeeAlso: man-pages(7), groff_man(7).
struct ManualPage {
  let tree: CommandTree
  let version: String

  var text: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    var lines = [
      ".TH \(tree.name.uppercased()) 1 \"\" \"\(tree.name) \(version)\" \"User Commands\"",
      ".SH NAME", "\(tree.name.roff) \\- \(tree.abstract.roff)",
      ".SH SYNOPSIS",
    ]
    for command in tree.commands {
      lines += [".B " + ([tree.name] + command.words).joined(separator: " ").roff, ".br"]
    }
    let help = CommandTree.helpCommand
    let helpWords = "\(tree.name) \(help.name)"
    lines += [".B " + helpWords.roff, ".br", ".SH DESCRIPTION"]
    for noun in tree.nouns {
      lines.append(".SS " + noun.abstract.roff)
      for command in tree.commands where command.words.first == noun.name {
        lines += self.lines(of: command)
      }
    }
    lines.append(".SS Other commands")
    for command in tree.commands where command.words.count == 1 { lines += self.lines(of: command) }
    lines += [".PP", ".B " + helpWords.roff, help.usage.roff]
    lines += [".PP", "\(help.summary).".roff]
    lines.append(".SH OPTIONS")
    for option in tree.rootOptions { lines += item(option.spelling, option.summary) }
    lines += [".PP", "\(CommandTree.helpOption.spelling) also follows a noun or a verb.".roff]
    lines.append(".SH EXIT STATUS")
    for code in ExitCode.allCases { lines += item("\(code.rawValue)", code.summary) }
    return lines
  }

  private func lines(of command: CommandTree.Command) -> [String] {
    let declaration = command.declaration
    let words = ([tree.name] + command.words).joined(separator: " ")
    var lines = [".PP", ".B " + words.roff, declaration.usage.joined(separator: " ").roff]
    lines += [".PP", declaration.abstract.roff, ".RS"]
    for parameter in declaration.arguments + declaration.options {
      lines += item(parameter.spelling, parameter.summary)
    }
    if !declaration.example.isEmpty {
      let line = "  \(words) \(declaration.example)"
      lines += [".PP", "Example:", ".PP", ".EX", line.roff, ".EE"]
    }
    return lines + [".RE"]
  }

  private func item(_ term: String, _ meaning: String) -> [String] {
    [".TP", ".B " + term.roff, meaning.roff]
  }
}

extension String {
  /// This text as a line of a page, with backslashes, hyphens and a leading full stop escaped.
  fileprivate var roff: String {
    let escaped = replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("…", with: "...")
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
