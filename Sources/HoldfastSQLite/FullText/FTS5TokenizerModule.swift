#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A tokenizer's type as one connection offers it to FTS5, and FTS5's callbacks for it.
///
/// FTS5 keeps it until the connection is closed, also if another one of the same name is added.
private final class FTS5TokenizerModule {
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
        return own.failure.inUse.recording {
          unsafe TokenReceiver.tokens(
            of: own.tokenizer, FTS5Tokenization(rawValue: reason), text, count
          ) { unsafe $0.pass(to: callback, context) }
        }
      })
  }

  private func make(
    _ arguments: [String], _ result: UnsafeMutablePointer<OpaquePointer?>?
  ) -> CInt {
    let failure = failure.inUse
    return failure.recording {
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

/// A tokenizer that FTS5 knows by name.
@safe
private final class RegisteredTokenizer: FTS5Tokenizer {
  private let methods: fts5_tokenizer
  private let instance: OpaquePointer

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
    unsafe methods.xTokenize?(
      instance, context, tokenization.rawValue, pText, nText, tokenCallback) ?? SQLITE_INTERNAL
  }
}

extension Database {
  /// Adds a tokenizer to the connection, for full-text tables that are defined with its name.
  ///
  /// Add it in ``Configuration/prepareDatabase(_:)``, so that every connection has it. It replaces a
  /// tokenizer of the same name for tables that are used afterwards.
  ///
  /// - Parameter tokenizer: The tokenizer's type.
  /// - Precondition: SQLite has FTS5.
  public func add<Tokenizer: FTS5CustomTokenizer>(tokenizer: Tokenizer.Type) {
    checkAccess()
    let module = FTS5TokenizerModule(tokenizer, on: self)
    while true {
      do {
        let code = try unsafe withFTS5 { unsafe module.install(in: $0, as: Tokenizer.name) }
        guard code != SQLITE_OK else { return }
        Misuse.trap(Misuse.refused("tokenizer", Tokenizer.name, code))
      } catch {
        // A connection that a suspension closed does not need it.
        if handle.isClaimed { return }
        // An interruption is meant for statements of the app.
        guard error.resultCode == .SQLITE_INTERRUPT, activeRun == nil else {
          Misuse.trap(Misuse.refused("tokenizer", Tokenizer.name, error.resultCode.rawValue))
        }
      }
    }
  }

  /// Makes a tokenizer that SQLite has, or that was added to the connection.
  ///
  /// ```swift
  /// let tokenizer = try db.makeTokenizer(.porter())
  /// try tokenizer.tokenize(query: "burning")  // [("burn", [])]
  /// ```
  ///
  /// - Parameter descriptor: The tokenizer's name and arguments.
  /// - Returns: The tokenizer, which belongs to no table. Use it on one thread at a time.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no tokenizer of that name, or it
  ///   does not accept the arguments; with the code of an error that a custom tokenizer throws.
  public func makeTokenizer(_ descriptor: FTS5TokenizerDescriptor) throws -> any FTS5Tokenizer {
    checkAccess()
    return try unsafe withFTS5 { fts5 throws(DatabaseError) in
      try unsafe RegisteredTokenizer(descriptor, in: fts5, handle.tokenizerFailure.inUse)
    }
  }

  /// Calls the closure with the interface of the connection's FTS5.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fts5.html#extending_fts5>
  private func withFTS5<Value>(
    _ body: (UnsafeMutablePointer<fts5_api>) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    try handle.enter()
    defer { handle.leave() }
    var fts5: UnsafeMutablePointer<fts5_api>?
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let sql = "SELECT fts5(?)"
    var code = unsafe sqlite3_prepare_v2(handle.pointer, sql, -1, &statement, nil)
    if code == SQLITE_OK {
      code = unsafe withUnsafeMutablePointer(to: &fts5) { result in
        _ = unsafe holdfast_bind_fts5_api(statement, result)
        return unsafe sqlite3_step(statement)
      }
    }
    guard code == SQLITE_ROW, let fts5 = unsafe fts5 else {
      throw handle.error(code, sql: sql, path: path)
    }
    return try unsafe body(fts5)
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
