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

  /// The name in the form in which SQLite compares names: only ASCII letters have a case.
  package var foldedDatabaseIdentifier: String {
    guard utf8.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
      return self
    }
    return String(
      decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
