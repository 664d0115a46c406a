import Foundation

/// Turns `stopName` into `stop_name` and back, as Foundation's JSON coders do.
enum SnakeCase {
  /// Returns the words in small letters with underscores between them.
  ///
  /// A word begins at each capital after the first letter; of several capitals in a row the last
  /// one begins the next word, unless the name ends there: `myURLPath` is `my_url_path`.
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

  /// Returns the words without underscores, each but the first with a capital.
  ///
  /// Underscores before the first word and after the last one stay.
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
