extension String {
  /// The name in double quotes, so that it can be used in SQL even if it is a keyword.
  ///
  /// ```swift
  /// try db.execute(sql: "DELETE FROM \(tableName.quotedDatabaseIdentifier)")
  /// ```
  ///
  /// Do not use it for values: pass them as arguments.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_keywords.html>
  public var quotedDatabaseIdentifier: String {
    quoted(by: "\"")
  }

  /// The name as an argument of a module, in double quotes unless it is a word.
  ///
  /// So GRDB writes it, and both libraries create the same full-text tables.
  var moduleArgument: String {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    let isWord =
      utf8.first.map(isLetter) == true
      && utf8.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isWord ? self : quotedDatabaseIdentifier
  }

  /// The name, compared as SQLite compares names.
  package var foldedDatabaseIdentifier: DatabaseIdentifier { DatabaseIdentifier(self) }
}

/// A name in SQL, compared as SQLite compares names.
///
/// Names are equal when their bytes are, ignoring the case of ASCII letters: `É` and `é` are
/// different names, and so are `é` in one code point and `é` in two. See ``ExactText`` for other
/// texts.
///
/// - SeeAlso: `sqlite3StrICmp()` in SQLite's `util.c`, which folds the letters A to Z only.
package struct DatabaseIdentifier: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  private let folded: ExactText

  package init(_ name: String) {
    guard name.utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
      folded = ExactText(name)
      return
    }
    folded = ExactText(
      String(
        decoding: name.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
  }

  package init(stringLiteral name: String) { self.init(name) }

  /// The name, with small letters from A to Z.
  package var text: String { folded.text }

  package static func < (left: DatabaseIdentifier, right: DatabaseIdentifier) -> Bool {
    left.folded < right.folded
  }

  /// Returns whether the name begins with a lowercase prefix, ignoring the name's case.
  package func hasPrefix(_ prefix: String) -> Bool {
    folded.text.utf8.starts(with: prefix.utf8)
  }
}
