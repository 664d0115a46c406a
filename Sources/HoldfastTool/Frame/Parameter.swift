import Foundation

/// A parameter of a verb, and the key of its value.
protocol Parameter<Value>: Sendable {
  associatedtype Value: Sendable

  /// The name: `DB`, `--limit`.
  var name: String { get }
  /// The spelling in usage lines and help: `DB`, `--limit N`, `--json`.
  var spelling: String { get }
  /// A sentence for the help.
  var summary: String { get }
  /// The default value; `nil` when the parameter is required.
  var absent: Value? { get }
  /// The expected form of a word, as a phrase: "a whole number from 1 to 9".
  var expected: String { get }
  /// The completions that a shell offers.
  var completion: Completion { get }

  /// Whether the parameter may be given several times.
  var isRepeatable: Bool { get }

  /// Returns the value of the words that were given, one unless the parameter is repeatable; `nil` when
  /// one of them does not have the expected form.
  func value(of words: [String]) -> Value?
}

extension Parameter {
  var isRepeatable: Bool { false }
}

/// The completions that a shell offers while a word is typed.
enum Completion: Sendable, Equatable {
  case nothing
  case files
  case words([String])
}

/// A positional parameter.
struct Argument<Value: Sendable>: Parameter {
  let name: String
  let summary: String
  let reading: Reading<Value>
  let absent: Value?
  var isRepeatable = false

  /// Declares a required argument.
  init(_ name: String, _ summary: String, _ reading: Reading<Value>) {
    (self.name, self.summary, self.reading, self.absent) = (name, summary, reading, nil)
  }

  /// Declares an argument that is given at least once; a verb has at most one of these.
  init<Base>(repeated name: String, _ summary: String, _ reading: Reading<Base>)
  where Value == [Base] {
    (self.name, self.summary, self.reading, self.absent) = (name, summary, reading.repeated, nil)
    isRepeatable = true
  }

  /// Declares an argument that is given any number of times, after the required ones.
  init<Base>(anyNumberOf name: String, _ summary: String, _ reading: Reading<Base>)
  where Value == [Base] {
    (self.name, self.summary, self.reading, self.absent) = (name, summary, reading.repeated, [])
    isRepeatable = true
  }

  /// Declares an optional argument, which follows the required ones.
  init<Base>(optional name: String, _ summary: String, _ reading: Reading<Base>)
  where Value == Base? {
    (self.name, self.summary) = (name, summary)
    (self.reading, self.absent) = (reading.optional, .some(nil))
  }

  var spelling: String { isRepeatable ? "\(name)..." : name }
  var expected: String { reading.expected }
  var completion: Completion { reading.completion }

  func value(of words: [String]) -> Value? { reading.value(of: words) }
}

/// A named parameter with a value: `--limit 5` or `--limit=5`.
struct Option<Value: Sendable>: Parameter {
  let name: String
  let placeholder: String
  let summary: String
  let reading: Reading<Value>
  let absent: Value?
  var isRepeatable = false

  /// Declares an option that may be given several times, with all its values.
  init<Base>(
    repeated name: String, _ placeholder: String, _ summary: String, _ reading: Reading<Base>
  ) where Value == [Base] {
    (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
    (self.reading, self.absent) = (reading.repeated, [])
    isRepeatable = true
  }

  /// Declares an option without a default value.
  init<Base>(_ name: String, _ placeholder: String, _ summary: String, _ reading: Reading<Base>)
  where Value == Base? {
    (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
    (self.reading, self.absent) = (reading.optional, .some(nil))
  }

  /// Declares an option with the default value `standard`, which the help shows.
  init(
    _ name: String, _ placeholder: String, _ summary: String, _ reading: Reading<Value>,
    otherwise standard: Value
  ) {
    (self.name, self.placeholder) = (name, placeholder)
    self.summary = "\(summary) Otherwise \(standard)."
    (self.reading, self.absent) = (reading, standard)
  }

  var spelling: String { "\(name) \(placeholder)" }
  var expected: String { reading.expected }
  var completion: Completion { reading.completion }

  func value(of words: [String]) -> Value? { reading.value(of: words) }
}

/// A named parameter without a value: `--dry-run`.
struct Flag: Parameter {
  let name: String
  let summary: String

  init(_ name: String, _ summary: String) {
    (self.name, self.summary) = (name, summary)
  }

  var spelling: String { name }
  var absent: Bool? { false }
  var expected: String { "given or not" }
  var completion: Completion { .nothing }

  func value(of words: [String]) -> Bool? { true }

  /// The flag of every verb.
  static let json = Flag("--json", "Prints JSON, one object per line.")
}

/// The conversion of words to a value.
struct Reading<Value: Sendable>: Sendable {
  let completion: Completion
  private let expectation: @Sendable () -> String
  private let read: @Sendable ([String]) -> Value?

  /// Creates the conversion of a single word.
  ///
  /// - Parameters:
  ///   - expected: What is expected; it is put together when it is asked for, and not at each start of the tool.
  ///   - completion: What completes a word.
  ///   - read: Converts a word; `nil` for another one.
  init(
    expected: @autoclosure @escaping @Sendable () -> String, completion: Completion = .nothing,
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(expected, completion) { words in words.count == 1 ? read(words[0]) : nil }
  }

  private init(
    _ expectation: @escaping @Sendable () -> String, _ completion: Completion,
    read: @escaping @Sendable ([String]) -> Value?
  ) {
    (self.expectation, self.completion, self.read) = (expectation, completion, read)
  }

  var expected: String { expectation() }

  func value(of words: [String]) -> Value? { read(words) }

  fileprivate var optional: Reading<Value?> {
    Reading<Value?>(expectation, completion) { [read] words in read(words).map { .some($0) } }
  }

  fileprivate var repeated: Reading<[Value]> {
    Reading<[Value]>(expectation, completion) { [read] words in
      let values = words.compactMap { read([$0]) }
      return values.count == words.count ? values : nil
    }
  }
}

extension Reading<String> {
  /// Any text, including an empty one.
  static let text = Reading(expected: "a text") { $0 }
}

extension Reading<URL> {
  /// The path of a file or folder, which need not exist, relative to the current folder; or its URL.
  static let path = Reading(
    expected: "the path of a file or folder", completion: .files
  ) { word in file(word) }

  private static func file(_ argument: String) -> URL? {
    var word = argument
    // Styles of maps name a tileset so, by its percent-encoded path or by a URL.
    for scheme in ["pmtiles://", "mbtiles://"] where argument.hasPrefix(scheme) {
      word = String(argument.dropFirst(scheme.count))
      // A name with a bare "%" is no encoded one.
      if !word.hasPrefix("file:///") { word = word.removingPercentEncoding ?? word }
    }
    if word.isEmpty || ["http://", "https://"].contains(where: word.lowercased().hasPrefix) {
      return nil
    }
    // As apps and Xcode print where a file is.
    if word.hasPrefix("file:///"), let url = URL(string: word) {
      // A '?' or '#' that is not encoded would end the name, and bytes that are not UTF-8 have no path.
      return url.query == nil && url.fragment == nil && !url.path(percentEncoded: false).isEmpty
        ? url : nil
    }
    return URL(fileURLWithPath: word)
  }
}

extension Reading<String> {
  /// One of a list of words.
  static func word(of words: [String]) -> Reading {
    Reading(expected: "one of \(words.joined(separator: ", "))", completion: .words(words)) {
      word in
      words.contains(word) ? word : nil
    }
  }
}

extension Reading {
  /// One of a list of names, or a number.
  ///
  /// - Parameters:
  ///   - names: The names and their values.
  ///   - range: The allowed numbers.
  ///   - value: Returns the value of a number.
  /// - Returns: A conversion that refuses all other words.
  static func named(
    _ names: KeyValuePairs<String, Value>, orNumberIn range: ClosedRange<Int>,
    _ value: @escaping @Sendable (Int) -> Value
  ) -> Reading {
    let words = names.map(\.key)
    let values = names.map(\.value)
    return Reading(
      expected: "\(words.joined(separator: ", ")), or a number from \(range.lowerBound) to "
        + "\(range.upperBound)", completion: .words(words)
    ) { word in
      if let index = words.firstIndex(of: word) { return values[index] }
      return Int(word).flatMap { range.contains($0) ? value($0) : nil }
    }
  }
}

extension Reading<Int> {
  /// A whole number in a range.
  static func integer(in range: ClosedRange<Int>) -> Reading {
    Reading(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") { word in
      Int(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension Reading<Double> {
  /// A number in a range; infinities and NaN are refused.
  static func number(in range: ClosedRange<Double>) -> Reading {
    let bounds = [range.lowerBound, range.upperBound].map { bound in
      Int(exactly: bound).map(String.init) ?? String(bound)
    }
    return Reading(expected: "a number from \(bounds[0]) to \(bounds[1])") { word in
      Double(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}
