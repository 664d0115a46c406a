#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A token during the call that reports it.
@unsafe
struct BorrowedToken {
  let flags: FTS5TokenFlags
  let bytes: UnsafePointer<CChar>?
  let count: CInt
  let start: CInt
  let end: CInt

  /// The token's text.
  var text: String {
    unsafe String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }

  /// Whether its bytes exist, and were made from a part of a text of that length.
  func isPossible(inTextOf textCount: CInt) -> Bool {
    unsafe count >= 0 && (bytes != nil || count == 0) && 0 <= start && start <= end
      && end <= textCount
  }

  /// Calls a function with the token.
  func pass(to callback: FTS5TokenCallback, _ context: UnsafeMutableRawPointer?) -> CInt {
    unsafe callback(context, flags.rawValue, bytes, count, start, end)
  }

  /// Calls a function with another token in the place of this one.
  func pass(
    _ text: String, _ flags: FTS5TokenFlags, to callback: FTS5TokenCallback,
    _ context: UnsafeMutableRawPointer?
  ) -> CInt {
    var text = text
    return text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { utf8 in
        unsafe callback(
          context, flags.rawValue, utf8.baseAddress, CInt(clamping: utf8.count), start, end)
      }
    }
  }
}

/// The receiver of the tokens that a tokenizer finds in one text.
///
/// It is between every tokenizer and the code that uses its tokens, because neither FTS5 nor a
/// wrapper checks them: "highlight" and "snippet" would read outside of the text.
@safe
final class TokenReceiver {
  private let tokenizer: any FTS5Tokenizer
  private let textCount: CInt
  private let use: (BorrowedToken) throws -> CInt

  /// The code that ended the tokenization; a tokenizer may ignore it, and report further tokens.
  private var code = SQLITE_OK

  private init(
    _ tokenizer: any FTS5Tokenizer, textCount: CInt, _ use: @escaping (BorrowedToken) throws -> CInt
  ) {
    self.tokenizer = tokenizer
    self.textCount = textCount
    unsafe self.use = use
  }

  /// Tokenizes a text, and calls a closure with each token.
  ///
  /// The closure returns a code other than `SQLITE_OK` to end the tokenization, which returns it.
  static func tokens(
    of tokenizer: any FTS5Tokenizer, _ tokenization: FTS5Tokenization,
    _ text: UnsafePointer<CChar>?, _ count: CInt, use: (BorrowedToken) throws -> CInt
  ) -> CInt {
    unsafe withoutActuallyEscaping(use) { use in
      let receiver = unsafe TokenReceiver(tokenizer, textCount: count, use)
      return withExtendedLifetime(receiver) {
        unsafe receiver.run(tokenization, text, count)
      }
    }
  }

  private func run(
    _ tokenization: FTS5Tokenization, _ text: UnsafePointer<CChar>?, _ count: CInt
  ) -> CInt {
    let result = unsafe tokenizer.tokenize(
      context: Unmanaged.passUnretained(self).toOpaque(), tokenization: tokenization, pText: text,
      nText: count,
      tokenCallback: { context, flags, bytes, count, start, end in
        guard let context = unsafe context else { return SQLITE_MISUSE }
        return unsafe Unmanaged<TokenReceiver>.fromOpaque(context).takeUnretainedValue().receive(
          BorrowedToken(
            flags: FTS5TokenFlags(rawValue: flags), bytes: bytes, count: count, start: start,
            end: end))
      })
    guard code == SQLITE_OK, result != SQLITE_OK else { return code }
    return TokenizerFailure.user?.failure.note(result, of: type(of: tokenizer)) ?? SQLITE_ERROR
  }

  private func receive(_ token: BorrowedToken) -> CInt {
    guard code == SQLITE_OK else { return code }
    do {
      guard unsafe token.isPossible(inTextOf: textCount) else {
        throw unsafe DatabaseError.impossibleToken(
          of: type(of: tokenizer), start: Int(token.start), end: Int(token.end),
          textCount: Int(textCount))
      }
      code = unsafe try use(token)
    } catch {
      code = TokenizerFailure.user?.failure.note(error) ?? error.forSQLite.code
    }
    return code
  }
}

extension FTS5Tokenizer {
  /// Returns the tokens of a text.
  func tokens(
    of text: String, for tokenization: FTS5Tokenization
  ) throws -> [(token: String, flags: FTS5TokenFlags)] {
    var tokens: [(token: String, flags: FTS5TokenFlags)] = []
    let failure = TokenizerFailure()
    let code = failure.standingAlone {
      // With its NUL, so that an empty text has an address too.
      unsafe text.utf8CString.withUnsafeBufferPointer { bytes in
        unsafe TokenReceiver.tokens(
          of: self, tokenization, bytes.baseAddress, CInt(clamping: bytes.count - 1)
        ) { token in
          unsafe tokens.append((token.text, token.flags))
          return SQLITE_OK
        }
      }
    }
    if let error = failure.error(code) { throw error }
    return tokens
  }
}
