/// A parser for the simple shell commands that occur in documentation.
///
/// It handles quotes, escapes, comments, pipes, lists and redirections; it does not perform
/// expansions.
enum ShellLine {
  /// Returns the words of each simple command.
  static func commands(in text: String) -> [[String]] {
    var commands: [[String]] = [[]]
    var word: String?
    var quote: Character?
    var rest = Substring(text.replacing("\\\n", with: ""))

    func endWord() {
      if let word { commands[commands.count - 1].append(word) }
      word = nil
    }
    while let character = rest.popFirst() {
      switch (character, quote) {
      case (_, let open?) where character == open: quote = nil
      case ("\\", "\""), ("\\", nil): word = (word ?? "") + (rest.popFirst().map(String.init) ?? "")
      case (_, .some): word = (word ?? "") + String(character)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case ("#", nil) where word == nil: rest = rest.drop { $0 != "\n" }
      case ("\n", nil), (";", nil), ("|", nil), ("&", nil):
        endWord()
        commands.append([])
      case (">", nil), ("<", nil):
        // A file name follows, not an argument.
        endWord()
        rest = rest.drop { $0 == ">" || $0 == " " }.drop { !" \n;|&".contains($0) }
      case (" ", nil), ("\t", nil): endWord()
      case (_, nil): word = (word ?? "") + String(character)
      }
    }
    endWord()
    return commands.filter { !$0.isEmpty }
  }

  /// Returns the arguments of each call of the tool, whether by name, by path or through SwiftPM.
  static func callsOfTheTool(in text: String) -> [[String]] {
    commands(in: text).compactMap { words in
      let words = words.first == "$" ? words.dropFirst() : words[...]
      let isTool = { (word: String) in word == "holdfast" || word.hasSuffix("/holdfast") }
      if let first = words.first, isTool(first) { return Array(words.dropFirst()) }
      guard words.starts(with: ["swift", "run"]),
        let place = words.firstIndex(where: isTool)
      else { return nil }
      return Array(words[(place + 1)...])
    }
  }
}
