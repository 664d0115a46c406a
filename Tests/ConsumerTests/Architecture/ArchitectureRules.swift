import Foundation

/// A place where the house's rules are not kept.
struct Violation: CustomStringConvertible, Equatable {
  var file: String
  var line: Int
  var reason: String

  var description: String { "\(file):\(line): \(reason)" }
}

/// The rules of ARCHITECTURE.md that a machine can check: source text in, violations out.
enum ArchitectureRules {
  /// Every file can be read as Swift; else the other rules would pass over it in silence.
  static func readability(_ source: SwiftSource) -> [Violation] {
    guard let flaw = source.flaw else { return [] }
    return [Violation(file: source.path, line: flaw.line, reason: flaw.reason)]
  }

  /// A module imports only what lies below it; C has one door each, libc a single file.
  static func imports(_ source: SwiftSource) -> [Violation] {
    let folders = source.path.split(separator: "/").map(String.init)
    guard folders.count > 2, folders[0] == "Sources" else {
      return source.imports.filter { ArchitectureTable.foreign.contains($0.module) }.map {
        Violation(
          file: source.path, line: $0.line, reason: "imports \($0.module), which a test never does")
      }
    }
    let room = folders[1]
    guard let arrows = ArchitectureTable.arrows[room] else {
      return [
        Violation(
          file: source.path, line: 1, reason: "\(room) is no row of ArchitectureTable.arrows")
      ]
    }
    var allowed = ArchitectureTable.everywhere.union(arrows)
    if source.path.hasPrefix(ArchitectureTable.doorToLibc) {
      allowed.formUnion(ArchitectureTable.libc)
    }
    return source.imports.filter { !allowed.contains($0.module) }.map {
      Violation(
        file: source.path, line: $0.line, reason: "imports \($0.module), which \(room) may not")
    }
  }

  /// Pointers occur in few rooms.
  static func pointers(_ source: SwiftSource) -> [Violation] {
    guard !ArchitectureTable.foldersWithPointers.contains(where: source.path.hasPrefix) else {
      return []
    }
    return source.lines(with: "unsafe").map {
      Violation(file: source.path, line: $0, reason: "says unsafe where no pointer may occur")
    }
  }

  /// Whatever the compiler is told to believe about concurrency has its reason above it.
  static func unprovenSendability(_ source: SwiftSource) -> [Violation] {
    ["@unchecked", "nonisolated(unsafe)"].flatMap { word in
      source.lines(with: word)
        .filter { !source.commentAbove(line: $0).contains("Sendable because") }
        .map {
          Violation(
            file: source.path, line: $0,
            reason: "has \(word) without a comment above that says 'Sendable because …'")
        }
    }
  }

  /// A test waits for an event, never for time to pass.
  static func sleeping(_ source: SwiftSource) -> [Violation] {
    ["sleep", "usleep", "nanosleep"].flatMap { word in
      source.lines(with: word)
        .filter { line in
          let code = source.code[line - 1].filter { $0 != " " }
          return code.contains(word + "(") && !code.contains("func" + word)
        }
        .map { Violation(file: source.path, line: $0, reason: "sleeps") }
    }
  }

  /// Words that drop an error, trap without a sentence or put work off need a row in the table.
  static func avoidedWords(
    _ source: SwiftSource, exceptions: [AllowedWord] = ArchitectureTable.exceptions
  ) -> [Violation] {
    ArchitectureTable.avoidedWords.flatMap { word -> [Violation] in
      let isPromise = word == "TODO" || word == "FIXME"
      let lines = source.lines(with: word) + (isPromise ? source.remarks(with: word) : [])
      let allowed = exceptions.first { $0.file == source.path && $0.word == word }?.count ?? 0
      guard lines.count != allowed else { return [] }
      guard !lines.isEmpty else {
        return [
          Violation(file: source.path, line: 1, reason: "no longer needs its \(allowed) \(word)")
        ]
      }
      return lines.map {
        Violation(
          file: source.path, line: $0,
          reason: "says \(word), \(lines.count) in the file where \(allowed) are allowed")
      }
    }
  }

  /// Every exception names a file that exists and a reason.
  static func exceptions(_ exceptions: [AllowedWord], files: [String]) -> [Violation] {
    exceptions
      .filter { !files.contains($0.file) || $0.because.isEmpty || $0.count < 1 }
      .map {
        Violation(
          file: $0.file, line: 1, reason: "has an exception for \($0.word) without file or reason")
      }
  }

  /// Nothing in the tree knows the machine it was made on.
  static func machinePaths(_ file: String, _ data: Data, root: String) -> [Violation] {
    var found: [Violation] = []
    for prefix in ["/home/", "/Users/", "/root/", root + "/"] {
      var rest = data[...]
      while let range = rest.range(of: Data(prefix.utf8)) {
        let before = String(
          decoding: data[..<range.lowerBound].suffix(32).reversed().prefix { $0.isPartOfAName }
            .reversed(), as: UTF8.self)
        let name = String(
          decoding: data[range.upperBound...].prefix { $0.isPartOfAName }, as: UTF8.self)
        rest = data[range.upperBound...]
        // A folder named home inside of another is no home folder, but the one after -I is.
        guard before.isEmpty || before.hasPrefix("-") else { continue }
        guard !name.isEmpty, !ArchitectureTable.inventedUsers.contains(name) else { continue }
        let line = data[..<range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
        found.append(
          Violation(file: file, line: line, reason: "contains a machine's path, \(prefix)\(name)"))
      }
    }
    return found
  }

  /// Every file has one caption in ARCHITECTURE.md and every caption a file.
  static func captions(_ map: String, files: [String]) -> [Violation] {
    let captions = ArchitectureMap(map).captions
    var found: [Violation] = []
    for caption in captions where !caption.text.contains(where: \.isLetter) {
      found.append(map: caption.line, "`\(caption.path)` has no caption")
    }
    for caption in captions {
      if caption.path.hasSuffix("/") {
        if !files.contains(where: { $0.hasPrefix(caption.path) }) {
          found.append(map: caption.line, "`\(caption.path)` is no folder with files")
        }
      } else if !files.contains(caption.path) {
        found.append(map: caption.line, "`\(caption.path)` is no file")
      }
    }
    for (path, group) in Dictionary(grouping: captions, by: \.path) where group.count > 1 {
      found.append(map: group[1].line, "`\(path)` has \(group.count) captions")
    }
    let paths = Set(captions.map(\.path))
    let folders = paths.filter { $0.hasSuffix("/") }
    for file in files where file.hasPrefix("Sources/") || file.hasPrefix("Tests/") {
      // One line may caption a folder of fixtures or of documentation, never one of code.
      let isInCaptionedFolder =
        !file.hasSuffix(".swift") && folders.contains(where: file.hasPrefix)
      if !paths.contains(file), !isInCaptionedFolder {
        found.append(Violation(file: file, line: 1, reason: "has no caption in ARCHITECTURE.md"))
      }
    }
    return found
  }
}

extension [Violation] {
  fileprivate mutating func append(map line: Int, _ reason: String) {
    append(Violation(file: "ARCHITECTURE.md", line: line, reason: reason))
  }
}

extension UInt8 {
  /// Whether the byte may stand in the name of a file, as file names usually are.
  fileprivate var isPartOfAName: Bool {
    isIdentifier || "._-~@}".utf8.contains(self)
  }
}

extension SwiftSource {
  /// The modules that the file imports, whatever attributes and access levels it writes before.
  fileprivate var imports: [(module: String, line: Int)] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor", "macro",
    ]
    return code.enumerated().flatMap { index, line in
      line.split(separator: ";").compactMap { statement in
        let words = statement.split(whereSeparator: \.isWhitespace)
        guard let keyword = words.firstIndex(of: "import") else { return nil }
        let named = words[(keyword + 1)...].first { !kinds.contains($0) }
        return named.map { (String($0.prefix { $0 != "." }), index + 1) }
      }
    }
  }

  /// The comment on the line of a declaration and the unbroken one right above its first line.
  fileprivate func commentAbove(line: Int) -> String {
    var text = comments[line - 1]
    var index = line - 2
    // Attributes and the first half of a declaration stand between a comment and its word.
    while index >= 0, !code[index].allSatisfy(\.isWhitespace), !code[index].endsAStatement {
      text = comments[index] + text
      index -= 1
    }
    while index >= 0, code[index].allSatisfy(\.isWhitespace), comments[index].contains("/") {
      text = comments[index] + " " + text
      index -= 1
    }
    return text.split(whereSeparator: { $0 == " " || $0 == "/" }).joined(separator: " ")
  }
}

extension String {
  fileprivate var endsAStatement: Bool {
    guard let last = last(where: { !$0.isWhitespace }) else { return true }
    let isAttribute = drop(while: \.isWhitespace).hasPrefix("@")
    return "{};".contains(last) || (last == ")" && !isAttribute)
  }
}
