import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The function that receives what SQLite reports of its errors in this process.
enum ErrorLog {
  struct State {
    var function: Database.LogErrorFunction?
    var isRegistered = false
  }

  static let state = Mutex(State())

  /// Registers with SQLite, at the first call.
  ///
  /// - Returns: Whether SQLite reports errors.
  static func register() -> Bool {
    state.withLock { state in
      guard !state.isRegistered else { return true }
      let code = unsafe holdfast_config_log { _, code, message in
        guard let function = ErrorLog.state.withLock({ $0.function }) else { return }
        let text = unsafe message.map { unsafe String(cString: $0) } ?? ""
        function(ResultCode(rawValue: code), text)
      }
      state.isRegistered = code == SQLITE_OK
      return state.isRegistered
    }
  }
}

extension Database {
  /// A function that receives an error's extended result code and SQLite's message.
  public typealias LogErrorFunction =
    @Sendable (_ resultCode: ResultCode, _ message: String) -> Void

  /// The function that receives what SQLite reports of errors, warnings and notices.
  ///
  /// Set it before any database is opened in the process, by whichever library: SQLite accepts no
  /// such function afterwards, unless its version, such as 3.51, calls it an "anytime configuration
  /// option". If it is set too late, it is called once, immediately, with `SQLITE_MISUSE`. It is one
  /// function for the process, called on the threads on which errors occur, and it must not use a
  /// database.
  ///
  /// ```swift
  /// Database.logError = { resultCode, message in print(resultCode, message) }
  /// ```
  ///
  /// - SeeAlso: <https://www.sqlite.org/errlog.html>, <https://www.sqlite.org/c3ref/config.html>
  public static var logError: LogErrorFunction? {
    get { ErrorLog.state.withLock { $0.function } }
    set {
      ErrorLog.state.withLock { $0.function = newValue }
      guard let newValue, !ErrorLog.register() else { return }
      newValue(.SQLITE_MISUSE, DatabaseError.lateErrorLog)
    }
  }
}
