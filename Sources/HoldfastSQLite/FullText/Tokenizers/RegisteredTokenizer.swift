#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A tokenizer that FTS5 knows by name.
@safe
final class RegisteredTokenizer: FTS5Tokenizer {
  private let methods: fts5_tokenizer
  private let instance: OpaquePointer

  /// The failures of its connection.
  private let failure: TokenizerFailure

  init(
    _ descriptor: FTS5TokenizerDescriptor, in fts5: UnsafeMutablePointer<fts5_api>,
    _ failure: TokenizerFailure
  ) throws(DatabaseError) {
    let name = descriptor.components.first ?? ""
    var methods = fts5_tokenizer()
    var module: UnsafeMutableRawPointer?
    guard unsafe fts5.pointee.xFindTokenizer?(fts5, name, &module, &methods) == SQLITE_OK,
      let create = unsafe methods.xCreate
    else { throw .noSuchTokenizer(name) }
    var instance: OpaquePointer?
    let code = unsafe descriptor.components.dropFirst().withCStrings { arguments in
      unsafe create(module, arguments.baseAddress, CInt(arguments.count), &instance)
    }
    if let error = failure.error(code) { throw error }
    guard let instance = unsafe instance else { throw .noSuchTokenizer(name) }
    self.methods = methods
    self.failure = failure
    unsafe self.instance = unsafe instance
  }

  deinit {
    // It is a memory of its own, which outlives the connection.
    unsafe methods.xDelete?(instance)
  }

  func tokenize(
    context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
    pText: UnsafePointer<CChar>?, nText: CInt, tokenCallback: @escaping FTS5TokenCallback
  ) -> CInt {
    failure.lending {
      unsafe methods.xTokenize?(
        instance, context, tokenization.rawValue, pText, nText, tokenCallback) ?? SQLITE_INTERNAL
    }
  }
}

extension Collection<String> {
  /// Calls the closure with the texts as C strings.
  fileprivate func withCStrings<Value>(
    _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    // One after the other in one piece of memory, each with its NUL.
    let bytes = ContiguousArray(flatMap(\.utf8CString))
    return unsafe bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      var pointers: ContiguousArray<UnsafePointer<CChar>?> = unsafe []
      for text in self {
        unsafe pointers.append(start)
        unsafe start = unsafe start.map { unsafe $0 + text.utf8.count + 1 }
      }
      return unsafe pointers.withUnsafeMutableBufferPointer { unsafe body($0) }
    }
  }
}
