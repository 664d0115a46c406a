import Foundation

/// The conversion of `stopName` to `stop_name` and back, as in Foundation's JSON coders.
enum SnakeCase {
  /// Returns the name in snake case: lowercase words separated by underscores.
  ///
  /// A word begins at each uppercase letter after the first letter; the last of several consecutive
  /// uppercase letters begins the next word, unless the name ends there: `myURLPath` is
  /// `my_url_path`.
  static func from(camelCase name: String) -> String {
    let letters = Array(name)
    var starts: [Int] = []
    var next = 1
    while let capital = letters.indices.dropFirst(next).first(where: { letters[$0].isUppercase }) {
      starts.append(capital)
      guard let small = letters.indices.dropFirst(capital).first(where: { letters[$0].isLowercase })
      else { break }
      if small > capital + 1 { starts.append(small - 1) }
      next = small + 1
    }
    return letters.enumerated().reduce(into: "") { snake, letter in
      if starts.contains(letter.offset) { snake += "_" }
      snake += letter.element.lowercased()
    }
  }

  /// Returns the name in camel case, without underscores between words.
  ///
  /// Underscores before the first word and after the last word are kept.
  static func camelCase(from name: String) -> String {
    let head = name.prefix { $0 == "_" }
    let body = name.dropFirst(head.count)
    let words = body.split(separator: "_")
    guard words.count > 1, let first = words.first else { return name }
    let tail = body.reversed().prefix { $0 == "_" }
    let rest = words.dropFirst().map { String($0).capitalized }
    return head + first.lowercased() + rest.joined() + String(tail)
  }
}
