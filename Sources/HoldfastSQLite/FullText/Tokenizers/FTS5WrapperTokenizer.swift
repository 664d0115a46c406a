/// The function with which a wrapper notifies FTS5 of a token.
public typealias FTS5WrapperTokenCallback = (_ token: String, _ flags: FTS5TokenFlags) throws ->
  Void

/// A tokenizer that changes the tokens of another one.
///
/// It can replace a token, leave it out, or add synonyms of it. In this example, searches ignore short
/// words and find "first" as "1st":
///
/// ```swift
/// final class RankTokenizer: FTS5WrapperTokenizer {
///   static let name = "rank_words"
///   let wrappedTokenizer: any FTS5Tokenizer
///
///   init(db: Database, arguments: [String]) throws {
///     wrappedTokenizer = try db.makeTokenizer(.unicode61())
///   }
///
///   func accept(
///     token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
///     tokenCallback: FTS5WrapperTokenCallback
///   ) throws {
///     if token.count < 2 { return }
///     try tokenCallback(token, flags)
///     if tokenization.contains(.document), token == "first" {
///       try tokenCallback("1st", flags.union(.colocated))
///     }
///   }
/// }
/// ```
///
/// Give synonyms either to documents or to queries, not to both.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#synonym_support>
public protocol FTS5WrapperTokenizer: FTS5CustomTokenizer {
  /// The tokenizer whose tokens are changed.
  var wrappedTokenizer: any FTS5Tokenizer { get }

  /// Receives a token of the wrapped tokenizer.
  ///
  /// - Parameters:
  ///   - token: The token; a byte sequence that is not valid UTF-8 is U+FFFD in it.
  ///   - flags: Its flags. With ``FTS5TokenFlags/colocated`` it is a synonym of the token before it;
  ///     pass the flags on.
  ///   - tokenization: The reason for the tokenization.
  ///   - tokenCallback: The function that is called with each token that takes its place. A token whose
  ///     flags have ``FTS5TokenFlags/colocated`` is a synonym of the one before.
  /// - Throws: Any error; the statement fails with it. Rethrow the errors of `tokenCallback`.
  func accept(
    token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
    tokenCallback: FTS5WrapperTokenCallback
  ) throws
}

extension FTS5WrapperTokenizer {
  /// Tokenizes the text with the wrapped tokenizer, and passes its tokens to
  /// ``accept(token:flags:for:tokenCallback:)``.
  ///
  /// Each token has the range, in the text, of the wrapped tokenizer's token from which it was made.
  public func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    unsafe TokenReceiver.tokens(of: wrappedTokenizer, tokenization, pText, nText) { token in
      var code: CInt = 0
      do {
        try unsafe accept(token: token.text, flags: token.flags, for: tokenization) { text, flags in
          if code == 0 { code = unsafe token.pass(text, flags, to: tokenCallback, context) }
          guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
      } catch _ where code != 0 {
        // The callback has ended the tokenization, and knows why.
      }
      return code
    }
  }
}
