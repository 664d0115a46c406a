/// The completion script of a command tree for zsh.
///
/// - SeeAlso: <https://zsh.sourceforge.io/Doc/Release/Completion-System.html>
struct ZshCompletion {
  let tree: CommandTree

  private var function: String { "_\(tree.name)" }

  var script: String {
    """
    #compdef \(tree.name)
    # Completions of \(tree.name) for zsh, made by '\(tree.name) completions zsh'.

    \(function)() {
      local curcontext=$curcontext state state_descr line
      typeset -A opt_args
      _arguments -C \(tree.rootOptions.map(\.specification).joined(separator: " ")) '1:command:->command' '*::argument:->argument'
      case $state in
        command) \(describe("command", tree.firstWords)) ;;
        argument)
          case $line[1] in
    \(rootBranches.map { "        " + $0 }.joined(separator: "\n"))
          esac ;;
      esac
    }

    \(tree.nouns.map(function(of:)).joined(separator: "\n\n"))

    \(function) "$@"
    """
  }

  private var rootBranches: [String] {
    tree.nouns.map { "\($0.name)) \(function)_\($0.name) ;;" }
      + tree.verbs.map(\.declaration).filter { !$0.name.hasPrefix("-") }.map {
        "\($0.name)) _arguments \(specifications(of: $0)) ;;"
      }
      + ["\(CommandTree.helpCommand.name))", "  case \"$((CURRENT - 1)) $words[2]\" in"]
      + ["    '1 '*) \(describe("command", tree.firstWords)) ;;"]
      + tree.nouns.map { "    '2 \($0.name)') \(describe("verb", $0.verbWords)) ;;" }
      + ["  esac ;;"]
  }

  private func function(of noun: Noun) -> String {
    let branches = noun.verbs.map(\.declaration).map {
      "        \($0.name)) _arguments \(specifications(of: $0)) ;;"
    }
    return """
      \(function)_\(noun.name)() {
        local curcontext=$curcontext state state_descr line
        _arguments -C \(CommandTree.helpOption.specification) '1:verb:->verb' '*::argument:->argument'
        case $state in
          verb) \(describe("verb", noun.verbWords)) ;;
          argument)
            case $line[1] in
      \(branches.joined(separator: "\n"))
            esac ;;
        esac
      }
      """
  }

  private func describe(_ what: String, _ items: [HelpText.Item]) -> String {
    let words = items.map { "'\($0.term):\($0.meaning.escaped)'" }
    return "local -a words=(\(words.joined(separator: " "))); _describe \(what) words"
  }

  private func specifications(of declaration: Declaration) -> String {
    let options = declaration.options.map { option in
      let name = option.takesValue ? "\(option.name)=" : option.name
      let value = option.takesValue ? ":\(option.name.drop { $0 == "-" }):\(option.action)" : ""
      return "'\(name)[\(option.summary.escaped)]\(value)'"
    }
    let arguments = declaration.arguments.enumerated().map { place, argument in
      "'\(place + 1):\(argument.name.escaped):\(argument.action)'"
    }
    return (options + [CommandTree.helpOption.specification] + arguments).joined(separator: " ")
  }
}

extension CommandTree.RootOption {
  /// The option for `_arguments`, by all its names; nothing else is completed after it.
  fileprivate var specification: String {
    names.map { "'(- *)\($0)[\(summary.escaped)]'" }.joined(separator: " ")
  }
}

extension Parameter {
  fileprivate var action: String {
    switch completion {
    case .nothing: " "
    case .files: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }
}

extension String {
  /// This text for single quotes, with the colons and brackets escaped that are special in
  /// `_arguments`.
  fileprivate var escaped: String {
    replacing("\\", with: "\\\\").replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]").replacing("'", with: #"'\''"#)
  }
}
