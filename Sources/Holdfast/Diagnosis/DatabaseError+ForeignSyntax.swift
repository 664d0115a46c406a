extension DatabaseError {
  /// What this SQLite does not know of a schema, such as `near "USING": syntax error`; `nil` for any other
  /// error.
  ///
  /// SQLite says in the same words that the schema is damaged.
  package var foreignSyntax: String? {
    guard resultCode == .SQLITE_CORRUPT, let message,
      message.hasPrefix("malformed database schema ("),
      let range = message.firstRange(of: ") - ")
    else { return nil }
    let reason = String(message[range.upperBound...])
    return Self.signsOfDamage.contains { reason.contains($0) } ? nil : reason
  }

  /// Parts of what SQLite says of a schema whose parts contradict each other.
  ///
  /// All else it says of a text that it does not understand.
  private static let signsOfDamage = [
    "invalid rootpage", "orphan index", "already exists", "already another", "no such table",
    "no such column", "duplicate column name", "reserved for internal use",
  ]
}
