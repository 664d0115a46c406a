#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A tokenizer's type as one connection offers it to FTS5, and FTS5's callbacks for it.
///
/// FTS5 keeps it until the connection is closed, also if another one of the same name is added.
final class FTS5TokenizerModule {
  /// A tokenizer that FTS5 uses for a table, until it deletes it.
  private final class Instance {
    let tokenizer: any FTS5Tokenizer
    let failure: TokenizerFailure

    init(_ tokenizer: any FTS5Tokenizer, _ failure: TokenizerFailure) {
      self.tokenizer = tokenizer
      self.failure = failure
    }
  }

  private let failure: TokenizerFailure
  private let makeTokenizer: (_ arguments: [String]) throws -> any FTS5Tokenizer

  init<Tokenizer: FTS5CustomTokenizer>(_ type: Tokenizer.Type, on database: Database) {
    failure = database.handle.tokenizerFailure
    // Weak, because the connection keeps the module.
    makeTokenizer = { [weak database] arguments in
      guard let database else { throw DatabaseError.closed(path: nil) }
      return try Tokenizer(db: database, arguments: arguments)
    }
  }

  static var callbacks: fts5_tokenizer {
    unsafe fts5_tokenizer(
      xCreate: { module, arguments, count, result in
        guard let module = unsafe module else { return SQLITE_INTERNAL }
        return unsafe Unmanaged<FTS5TokenizerModule>.fromOpaque(module).takeUnretainedValue()
          .make(unsafe [String](arguments, count: count), result)
      },
      xDelete: { instance in
        guard let instance = unsafe instance else { return }
        unsafe Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(instance)).release()
      },
      xTokenize: { instance, context, reason, text, count, callback in
        guard let instance = unsafe instance, let callback = unsafe callback
        else { return SQLITE_INTERNAL }
        let own = unsafe Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(instance))
          .takeUnretainedValue()
        return own.failure.recording {
          unsafe TokenReceiver.tokens(
            of: own.tokenizer, FTS5Tokenization(rawValue: reason), text, count
          ) { unsafe $0.pass(to: callback, context) }
        }
      })
  }

  private func make(
    _ arguments: [String], _ result: UnsafeMutablePointer<OpaquePointer?>?
  ) -> CInt {
    // Only a connection in use makes tokenizers.
    failure.standingAlone {
      do {
        let instance = Instance(try makeTokenizer(arguments), self.failure)
        unsafe result?.pointee = unsafe OpaquePointer(
          Unmanaged.passRetained(instance).toOpaque())
        return SQLITE_OK
      } catch {
        return failure.note(error)
      }
    }
  }

  /// Adds it to the connection's FTS5.
  func install(in fts5: UnsafeMutablePointer<fts5_api>, as name: String) -> CInt {
    let module = unsafe Unmanaged.passRetained(self)
    var callbacks = Self.callbacks
    let code =
      unsafe fts5.pointee.xCreateTokenizer?(
        fts5, name, module.toOpaque(), &callbacks,
        { module in
          guard let module = unsafe module else { return }
          unsafe Unmanaged<FTS5TokenizerModule>.fromOpaque(module).release()
        }) ?? SQLITE_INTERNAL
    // FTS5 does not release it when the call fails.
    if code != SQLITE_OK { unsafe module.release() }
    return code
  }
}

extension [String] {
  /// Copies the arguments of a tokenizer.
  fileprivate init(_ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, count: CInt) {
    self = (0..<Int(count)).compactMap { index in
      unsafe (arguments?[index]).map { unsafe String(cString: $0) }
    }
  }
}
