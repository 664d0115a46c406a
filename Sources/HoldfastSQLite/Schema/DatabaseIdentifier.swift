extension String {
  /// The name between double quotes, as SQL needs it for any name that is not its own word.
  ///
  /// ```swift
  /// try db.execute(sql: "DELETE FROM \(tableName.quotedDatabaseIdentifier)")
  /// ```
  ///
  /// A value does not belong here: it is an argument.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_keywords.html>
  public var quotedDatabaseIdentifier: String {
    quoted(by: "\"")
  }

  /// The name as SQLite compares it.
  package var foldedDatabaseIdentifier: DatabaseIdentifier { DatabaseIdentifier(self) }
}

/// A name in SQL, equal to every other one that SQLite takes for the same.
///
/// Names are the same when their bytes are, whatever the case of their ASCII letters: `É` and `é`
/// are two names, and so are `é` in one code point and `é` in two. See ``ExactText`` for other
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

  package static func < (left: DatabaseIdentifier, right: DatabaseIdentifier) -> Bool {
    left.folded < right.folded
  }

  /// Whether the name begins with a prefix of small letters, whatever the case of its own.
  package func hasPrefix(_ prefix: String) -> Bool {
    folded.text.utf8.starts(with: prefix.utf8)
  }
}
