import Foundation

/// A command of the tool: its declaration and its implementation.
protocol Verb: Sendable {
  var declaration: Declaration { get }

  /// Runs the command and prints its result.
  ///
  /// The caller reports a thrown error and determines the exit code from it.
  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode
}

/// The declaration of a verb, for parsing the command line and for the help.
struct Declaration: Sendable {
  let name: String
  /// The short form of the name, such as `-V`.
  let shortName: String?
  /// A sentence in the third person.
  let abstract: String
  /// The arguments in their order, with options and flags anywhere among them.
  let parameters: [any Parameter]
  /// The words after the command in a typical call, which the help shows.
  let example: String

  init(
    _ name: String, short shortName: String? = nil, _ abstract: String,
    _ parameters: any Parameter..., example: String = ""
  ) {
    self.init(name, short: shortName, abstract, parameters: parameters, example: example)
  }

  init(
    _ name: String, short shortName: String? = nil, _ abstract: String,
    parameters: [any Parameter], example: String = ""
  ) {
    (self.name, self.shortName, self.abstract) = (name, shortName, abstract)
    (self.parameters, self.example) = (parameters + [Flag.json], example)
  }
}

/// A group of verbs.
struct Noun: Sendable {
  let name: String
  /// A phrase without a full stop, used as a title in the overview.
  let abstract: String
  let verbs: [any Verb]
}

/// The commands of the tool: nouns with their verbs, and verbs without a noun.
struct CommandTree: Sendable {
  let name: String
  let abstract: String
  let nouns: [Noun]
  let verbs: [any Verb]

  /// The action that a command line requests.
  enum Request {
    case help(HelpText)
    case run(any Verb, ParsedArguments)
  }

  /// Parses a command line, without running the command.
  func request(_ words: [String]) throws(ToolError) -> Request {
    // `--json` is allowed anywhere; it is detected separately, because errors need it too.
    var words = words.drop { $0 == Flag.json.name }
    guard let first = words.popFirst() else { return .help(help) }
    try Self.refuseValue(first)
    if Self.asksForHelp(first) { return .help(try help(on: words)) }
    if let verb = verbs.named(first) { return try request(verb, "\(name) \(first)", words) }
    guard let noun = nouns.first(where: { $0.name == first }) else { throw unknown(first) }

    let command = "\(name) \(noun.name)"
    guard let second = words.popFirst() else {
      throw .missingVerb(of: command, verbs: noun.verbs.map(\.declaration.name))
    }
    try Self.refuseValue(second)
    if Self.asksForHelp(second) { return .help(try help(on: [first] + words)) }
    guard let verb = noun.verbs.named(second) else { throw unknown(second, in: noun) }
    return try request(verb, "\(command) \(second)", words)
  }

  private func request(
    _ verb: any Verb, _ command: String, _ words: ArraySlice<String>
  ) throws(ToolError) -> Request {
    if words.prefix(while: { $0 != "--" }).contains(where: Self.helpOption.names.contains) {
      return .help(verb.declaration.help(command))
    }
    return .run(verb, try ParsedArguments(words, for: verb.declaration.parameters, of: command))
  }

  /// Returns the help on `[noun [verb]]` or on a verb without a noun.
  private func help(on words: ArraySlice<String>) throws(ToolError) -> HelpText {
    var words = words.filter { $0 != Flag.json.name }[...]
    guard let first = words.popFirst(), !Self.asksForHelp(first) else { return help }
    if let verb = verbs.named(first) { return verb.declaration.help("\(name) \(first)") }
    guard let noun = nouns.first(where: { $0.name == first }) else { throw unknown(first) }
    guard let second = words.popFirst() else { return help(on: noun) }
    guard let verb = noun.verbs.named(second) else { throw unknown(second, in: noun) }
    return verb.declaration.help("\(name) \(first) \(second)")
  }

  private func unknown(_ word: String) -> ToolError {
    if word.hasPrefix("-") {
      let options = rootOptions.flatMap(\.names) + [Flag.json.name]
      let lookAlike = Suggestion.nearestOption(to: word, among: options)
      return .unknownWord(word, in: name, lookAlike: lookAlike.map { "\(name) \($0)" })
    }
    let known = nouns.map(\.name) + verbs.map(\.declaration.name) + [Self.helpCommand.name]
    // The noun may be missing from a correct verb.
    let noun = nouns.first { $0.verbs.named(word) != nil }
    let lookAlike = noun.map { "\($0.name) \(word)" } ?? Suggestion.nearest(to: word, among: known)
    return .unknownWord(word, in: name, lookAlike: lookAlike.map { "\(name) \($0)" })
  }

  private func unknown(_ word: String, in noun: Noun) -> ToolError {
    let command = "\(name) \(noun.name)"
    if word.hasPrefix("-") {
      let options = Self.helpOption.names + [Flag.json.name]
      let lookAlike = Suggestion.nearestOption(to: word, among: options)
      return .unknownWord(word, in: command, lookAlike: lookAlike.map { "\(command) \($0)" })
    }
    let near = Suggestion.nearest(to: word, among: noun.verbs.map(\.declaration.name))
      .map { "\(command) \($0)" }
    let elsewhere = nouns.first { $0.verbs.named(word) != nil }.map { "\(name) \($0.name) \(word)" }
    return .unknownWord(word, in: command, lookAlike: elsewhere ?? near)
  }

  private static func asksForHelp(_ word: String) -> Bool {
    word == helpCommand.name || helpOption.names.contains(word)
  }

  /// Refuses a value for a flag, such as `--help=1`, with a specific error.
  private static func refuseValue(_ word: String) throws(ToolError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["--help", "--json", "--version"].contains(parts[0]) else { return }
    throw .unwantedValue(String(parts[1]), of: String(parts[0]))
  }
}

extension [any Verb] {
  fileprivate func named(_ name: String) -> (any Verb)? {
    first { $0.declaration.name == name || $0.declaration.shortName == name }
  }
}

extension CommandTree {
  /// Runs a command line, and reports an error if there is one.
  ///
  /// - Returns: The exit code of the process.
  func run(_ words: [String], console: Console) async -> ExitCode {
    // Determined before parsing, so that errors of the command line are JSON too.
    let wantsJSON = words.prefix { $0 != "--" }.contains(Flag.json.name)
    let output = Output(wantsJSON ? .json : .table, console: console)
    var paths: [URL] = []
    do {
      let code: ExitCode
      switch try request(words) {
      case .help(let text):
        try console.print(text.lines(columns: console.output.columns).joined(separator: "\n"))
        code = .success
      case .run(let verb, let arguments):
        paths = arguments.paths
        code = try await verb.run(arguments, output: output)
      }
      try console.flush()
      return code
    } catch {
      console.waitIfInterrupted()
      return output.report(error, paths: paths)
    }
  }
}
