import Foundation

/// One thing a verb can be given on the command line, and the key to fetch it by.
protocol Parameter<Value>: Sendable {
  associatedtype Value: Sendable

  /// `DB`, `--limit`.
  var name: String { get }
  /// How usage lines and help spell it: `DB`, `--limit N`, `--json`.
  var spelling: String { get }
  /// One sentence for the help.
  var summary: String { get }
  /// What stands for the value when no word was given; `nil` when one must be.
  var absent: Value? { get }
  /// What a word is expected to be, as a phrase: "a whole number from 1 to 9".
  var expected: String { get }
  /// What a shell offers while the word is typed.
  var completion: Completion { get }

  /// Reads the word that was given; `nil` when it is not what is expected.
  func value(of word: String) -> Value?
}

/// What a shell offers while a word is typed.
enum Completion: Sendable, Equatable {
  case nothing
  case files
  case words([String])
}

/// A word that is known by its place.
struct Argument<Value: Sendable>: Parameter {
  let name: String
  let summary: String
  let reading: Reading<Value>
  let absent: Value?

  /// Declares a word that must be given.
  init(_ name: String, _ summary: String, _ reading: Reading<Value>) {
    (self.name, self.summary, self.reading, self.absent) = (name, summary, reading, nil)
  }

  /// Declares a word that may be left out; it follows those that must be given.
  init<Base>(optional name: String, _ summary: String, _ reading: Reading<Base>)
  where Value == Base? {
    (self.name, self.summary) = (name, summary)
    (self.reading, self.absent) = (reading.optional, .some(nil))
  }

  var spelling: String { name }
  var expected: String { reading.expected }
  var completion: Completion { reading.completion }

  func value(of word: String) -> Value? { reading.read(word) }
}

/// A value that is known by its name: `--limit 5` or `--limit=5`.
struct Option<Value: Sendable>: Parameter {
  let name: String
  let placeholder: String
  let summary: String
  let reading: Reading<Value>
  let absent: Value?

  /// Declares an option that is `nil` when it is not given.
  init<Base>(_ name: String, _ placeholder: String, _ summary: String, _ reading: Reading<Base>)
  where Value == Base? {
    (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
    (self.reading, self.absent) = (reading.optional, .some(nil))
  }

  /// Declares an option that is `standard` when it is not given; the help says so.
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

  func value(of word: String) -> Value? { reading.read(word) }
}

/// A name that is there or not: `--dry-run`.
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

  func value(of word: String) -> Bool? { true }

  /// The flag that every verb has.
  static let json = Flag("--json", "Prints JSON, one object per line.")
}

/// How a word becomes a value.
struct Reading<Value: Sendable>: Sendable {
  var expected: String
  var completion = Completion.nothing
  var read: @Sendable (String) -> Value?

  fileprivate var optional: Reading<Value?> {
    Reading<Value?>(expected: expected, completion: completion) { [read] word in
      read(word).map { .some($0) }
    }
  }
}

extension Reading<String> {
  /// Any text, an empty one too.
  static let text = Reading(expected: "a text") { $0 }
}

extension Reading<URL> {
  /// The path of a file or folder, there or not; relative to the current folder.
  static let path = Reading(
    expected: "the path of a file or folder", completion: .files
  ) { word in
    word.isEmpty ? nil : URL(fileURLWithPath: word)
  }
}

extension Reading<String> {
  /// One of some words.
  static func word(of words: [String]) -> Reading {
    Reading(expected: "one of \(words.joined(separator: ", "))", completion: .words(words)) {
      word in
      words.contains(word) ? word : nil
    }
  }
}

extension Reading {
  /// One of some names, or a number.
  ///
  /// - Parameters:
  ///   - names: The names with what they stand for.
  ///   - range: The numbers.
  ///   - value: What a number stands for.
  /// - Returns: The reading.
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
  /// A number in a range of whole bounds; infinities and NaN lie in none.
  static func number(in range: ClosedRange<Int>) -> Reading {
    let bounds = Double(range.lowerBound)...Double(range.upperBound)
    return Reading(expected: "a number from \(range.lowerBound) to \(range.upperBound)") { word in
      Double(word).flatMap { bounds.contains($0) ? $0 : nil }
    }
  }
}
