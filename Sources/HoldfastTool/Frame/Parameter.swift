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

  /// Reads the word that was given; `nil` when it is not what is expected.
  func value(of word: String) -> Value?
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

  func value(of word: String) -> Bool? { true }

  /// The flag that every verb has.
  static let json = Flag("--json", "Prints JSON, one object per line.")
}

/// How a word becomes a value.
struct Reading<Value: Sendable>: Sendable {
  var expected: String
  var read: @Sendable (String) -> Value?

  fileprivate var optional: Reading<Value?> {
    Reading<Value?>(expected: expected) { [read] word in read(word).map { .some($0) } }
  }
}

extension Reading<String> {
  /// Any text, an empty one too.
  static let text = Reading(expected: "a text") { $0 }
}

extension Reading<URL> {
  /// The path of a file or folder, there or not; relative to the current folder.
  static let path = Reading(expected: "the path of a file or folder") { word in
    word.isEmpty ? nil : URL(fileURLWithPath: word)
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
