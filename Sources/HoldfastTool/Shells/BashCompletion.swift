/// The completion script of a command tree for bash 3.2 and newer.
///
/// Where a file is expected nothing is offered, so that bash itself completes file names.
///
/// - SeeAlso: <https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html>
struct BashCompletion {
  let tree: CommandTree

  private var function: String { "_\(tree.name)" }

  var script: String {
    """
    # Completions of \(tree.name) for bash, made by '\(tree.name) completions bash'.

    \(function)() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
      local command='' place=0 word before index offered=''
      local valued=' \(valuedOptions.joined(separator: " ")) '
      # bash splits --option=value at the equals sign.
      if [[ $current == '=' ]]; then
        current=''
      elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]} before=${COMP_WORDS[index - 1]}
        [[ $word == -* || $word == '=' || $before == '=' || $valued == *" $before "* ]] && continue
        case $command in
          '') command=$word ;;
          \(tree.nouns.map(\.name).joined(separator: " | ")) | help | 'help '*) command="$command $word" ;;
          *) place=$((place + 1)) ;;
        esac
      done
      if [[ $previous == -* && $valued == *" $previous "* ]]; then
        case "$command $previous" in
    \(optionValues.map { "      " + $0 }.joined(separator: "\n"))
        esac
      elif [[ $current == -* ]]; then
        case $command in
          '') offered='\(rootOptions.joined(separator: " "))' ;;
    \(options.map { "      " + $0 }.joined(separator: "\n"))
        esac
      else
        case "$command $place" in
          ' 0' | 'help 0') offered='\(tree.firstWords.map(\.term).joined(separator: " "))' ;;
    \(words.map { "      " + $0 }.joined(separator: "\n"))
        esac
      fi
      COMPREPLY=($(compgen -W "$offered" -- "$current"))
    }

    complete -o bashdefault -o default -F \(function) \(tree.name)
    """
  }

  private var valuedOptions: [String] {
    Set(tree.commands.flatMap { $0.declaration.options.filter(\.takesValue).map(\.name) }).sorted()
  }

  private var rootOptions: [String] { tree.rootOptions.flatMap(\.names) }

  private var optionValues: [String] {
    tree.commands.flatMap { command in
      command.declaration.options.compactMap { option in
        guard case .words(let words) = option.completion else { return nil }
        return branch(command.words + [option.name], words)
      }
    }
  }

  private var options: [String] {
    let help = CommandTree.helpOption.names
    return tree.nouns.map { branch([$0.name], help) }
      + tree.commands.map { branch($0.words, $0.declaration.options.map(\.name) + help) }
  }

  private var words: [String] {
    tree.nouns.flatMap { noun in
      [[noun.name, "0"], ["help", noun.name, "0"]].map { branch($0, noun.verbWords.map(\.term)) }
    }
      + tree.commands.flatMap { command in
        command.declaration.arguments.enumerated().compactMap { place, argument in
          guard case .words(let words) = argument.completion else { return nil }
          return branch(command.words + ["\(place)"], words)
        }
      }
  }

  private func branch(_ pattern: [String], _ words: [String]) -> String {
    "'\(pattern.joined(separator: " "))') offered='\(words.joined(separator: " "))' ;;"
  }
}
