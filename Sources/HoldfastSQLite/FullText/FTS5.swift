/// SQLite's full-text module, for ``Database/create(virtualTable:options:using:_:)``.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html>
public struct FTS5: Sendable {
  /// Creates the module.
  public init() {}

  /// The handling of diacritics by the `unicode61` tokenizer.
  public enum Diacritics: Int, Sendable {
    /// `é` and `e` are two letters.
    case keep = 0
    /// `é` matches `e`, except for letters with two diacritics.
    case removeLegacy = 1
    /// `é` matches `e`.
    case remove = 2
  }

  /// The detail with which the positions of words are stored.
  public enum Detail: String, Sendable {
    /// All positions, so that phrases and `NEAR` work.
    case full
    /// Only the columns: no phrases.
    case column
    /// Only the rows: no phrases and no column filters.
    case none
  }
}
