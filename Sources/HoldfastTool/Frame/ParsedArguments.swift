import Foundation

/// The parsed words after a verb, by the parameters that the verb declares.
struct ParsedArguments: Sendable {
  private var values: [String: any Sendable] = [:]

  /// The value of a parameter.
  ///
  /// - Parameter parameter: A parameter that the verb declares; any other traps.
  subscript<P: Parameter>(_ parameter: P) -> P.Value {
    guard let value = values[parameter.name] as? P.Value else {
      preconditionFailure("A verb asks for \(parameter.name), which it does not declare.")
    }
    return value
  }

  /// The given paths, as spelled on the command line.
  var paths: [URL] {
    values.values.flatMap { value in (value as? URL).map { [$0] } ?? value as? [URL] ?? [] }
  }

  /// Parses the words that follow a command.
  init(
    _ words: ArraySlice<String>, for parameters: [any Parameter], of command: String
  ) throws(ToolError) {
    let given = try Self.sort(words, by: parameters, of: command)
    for parameter in parameters {
      values[parameter.name] = try Self.value(of: parameter, given[parameter.name], command)
    }
  }

  /// Assigns each word to the parameter that it belongs to.
  private static func sort(
    _ words: ArraySlice<String>, by parameters: [any Parameter], of command: String
  ) throws(ToolError) -> [String: [String]] {
    let options = parameters.filter { $0.name.hasPrefix("-") }
    let places = parameters.filter { !$0.name.hasPrefix("-") }
    let isOpen = places.contains(where: \.isRepeatable)
    var positional: [String] = []
    var given: [String: [String]] = [:]
    var words = words
    var optionsMayFollow = true

    while let word = words.popFirst() {
      guard optionsMayFollow && isOption(word) else {
        guard isOpen || positional.count < places.count else {
          throw .extraArgument(word, after: command)
        }
        positional.append(word)
        continue
      }
      if word == "--" {
        optionsMayFollow = false
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if parts.count == 2, name == "--help" { throw .unwantedValue(String(parts[1]), of: name) }
      guard let option = options.first(where: { $0.name == name }) else {
        let lookAlike = Suggestion.nearestOption(
          to: name, among: options.map(\.name) + CommandTree.helpOption.names)
        throw .unknownOption(name, of: command, lookAlike: lookAlike)
      }
      var value: String?
      if parts.count == 2 { value = String(parts[1]) }
      if option is Flag {
        if let value { throw .unwantedValue(value, of: name) }
        given[name] = []
        continue
      }
      if value == nil, let next = words.first, !isOption(next) { value = words.removeFirst() }
      guard let value else { throw .missingValue(of: name, spelling: option.spelling) }
      if let first = given[name]?.first, !option.isRepeatable {
        throw .givenTwice(name, first: first, second: value)
      }
      given[name, default: []].append(value)
    }
    // The words beyond one for each place belong to the repeated one.
    var left = positional[...]
    for place in places where !left.isEmpty {
      let count = place.isRepeatable ? 1 + max(0, positional.count - places.count) : 1
      given[place.name] = Array(left.prefix(count))
      left = left.dropFirst(count)
    }
    return given
  }

  /// Returns whether a word is an option; a negative number, such as a latitude, is a value, and so is
  /// a list of numbers that begins with one.
  private static func isOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let second = word.dropFirst().first else { return false }
    return !((second.isNumber || second == ".") && Double(word.prefix { $0 != "," }) != nil)
  }

  private static func value<P: Parameter>(
    of parameter: P, _ words: [String]?, _ command: String
  ) throws(ToolError) -> P.Value {
    guard let words else {
      guard let absent = parameter.absent else {
        throw .missingArgument(parameter.name, of: command)
      }
      return absent
    }
    guard let value = parameter.value(of: words) else {
      let word = words.first { parameter.value(of: [$0]) == nil } ?? ""
      var lookAlike: String?
      if case .words(let words) = parameter.completion {
        lookAlike = Suggestion.nearest(to: word, among: words)
      }
      throw .notAccepted(
        word, for: parameter.name, expected: parameter.expected, of: command, lookAlike: lookAlike)
    }
    return value
  }
}
