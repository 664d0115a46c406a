/// Turns `stopName` into `stop_name` and back, as Foundation's JSON coders do.
enum SnakeCase {
  /// Returns the words in small letters with underscores between them.
  ///
  /// A row of capitals is one word, whose last one begins the next: `myURLPath` is `my_url_path`.
  static func from(camelCase name: String) -> String {
    var snake = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      if index > 0, character.isUppercase {
        let isAfterSmall = !characters[index - 1].isUppercase && characters[index - 1] != "_"
        let isBeforeSmall =
          index + 1 < characters.count && characters[index + 1].isLowercase
          && characters[index - 1].isUppercase
        if isAfterSmall || isBeforeSmall { snake += "_" }
      }
      snake += character.lowercased()
    }
    return snake
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
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return head + first.lowercased() + rest.joined() + String(tail)
  }
}
