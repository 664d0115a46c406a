/// FTS5's function that a tokenizer calls with each token: `xToken`.
///
/// It returns SQLite's code. Any other code than `SQLITE_OK` ends the tokenization, which returns it.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#custom_tokenizers>
public typealias FTS5TokenCallback =
  @convention(c) (
    _ context: UnsafeMutableRawPointer?, _ flags: CInt, _ pToken: UnsafePointer<CChar>?,
    _ nToken: CInt, _ iStart: CInt, _ iEnd: CInt
  ) -> CInt

/// The reason FTS5 tokenizes a text.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#custom_tokenizers>
public struct FTS5Tokenization: OptionSet, Hashable, Sendable {
  /// SQLite's bits, `FTS5_TOKENIZE_…`.
  public let rawValue: CInt

  /// Creates a reason from SQLite's bits.
  public init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// A pattern is searched for.
  public static let query = FTS5Tokenization(rawValue: 1)
  /// The last word of the pattern is a prefix; together with ``query``.
  public static let prefix = FTS5Tokenization(rawValue: 2)
  /// A document is inserted into the table, or removed from it.
  public static let document = FTS5Tokenization(rawValue: 4)
  /// An auxiliary function, such as `highlight`, looks for the words of a document.
  public static let aux = FTS5Tokenization(rawValue: 8)
}

/// The properties of a token.
public struct FTS5TokenFlags: OptionSet, Hashable, Sendable {
  /// SQLite's bits, `FTS5_TOKEN_…`.
  public let rawValue: CInt

  /// Creates flags from SQLite's bits.
  public init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// The token is a synonym of the one before it, and has the same position.
  public static let colocated = FTS5TokenFlags(rawValue: 1)
}

/// A tokenizer, which splits texts into tokens: SQLite's own, or one that is written in Swift.
///
/// ``Database/makeTokenizer(_:)`` returns one. To write one, implement
/// ``FTS5WrapperTokenizer``, which changes the tokens of another tokenizer, or
/// ``FTS5CustomTokenizer``, which splits the text itself.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#custom_tokenizers>
public protocol FTS5Tokenizer: AnyObject {
  /// Calls a function with each token of a text, in their order.
  ///
  /// It has the form of SQLite's `xTokenize`.
  ///
  /// - Parameters:
  ///   - context: The first argument of the function.
  ///   - tokenization: The reason for the tokenization.
  ///   - pText: The text's bytes, which need not be valid UTF-8 nor end with a NUL.
  ///   - nText: The number of bytes.
  ///   - tokenCallback: The function, with the flags, the bytes of the token and their number, and the
  ///     range in the text from which the token was made, in bytes. A token whose range is not in
  ///     the text makes the statement fail.
  /// - Returns: `SQLITE_OK`; the code of the function if that is another one; or the code of an
  ///   error.
  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt
}

extension FTS5Tokenizer {
  /// Returns the tokens of a text as a full-text table stores them.
  ///
  /// ```swift
  /// let tokenizer = try db.makeTokenizer(.unicode61())
  /// try tokenizer.tokenize(document: "Circular Quay")  // [("circular", []), ("quay", [])]
  /// ```
  ///
  /// - Parameter string: The text.
  /// - Returns: The tokens with their flags, in their order.
  /// - Throws: ``DatabaseError`` with the code and the message of the tokenizer's error.
  public func tokenize(
    document string: String
  ) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: string, for: .document)
  }

  /// Returns the tokens of a text as a search for it looks for them.
  ///
  /// - Parameter string: The text, in which FTS5's operators have no meaning.
  /// - Returns: The tokens with their flags, in their order.
  /// - Throws: ``DatabaseError`` with the code and the message of the tokenizer's error.
  public func tokenize(query string: String) throws -> [(token: String, flags: FTS5TokenFlags)] {
    try tokens(of: string, for: .query)
  }
}
