public import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Database {
  /// The events that a trace reports.
  public struct TracingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: CInt

    /// Creates options from their bits.
    public init(rawValue: CInt) {
      self.rawValue = rawValue
    }

    /// A statement begins to run.
    public static let statement = TracingOptions(rawValue: 1 << 0)

    /// A statement has run, with its duration.
    public static let profile = TracingOptions(rawValue: 1 << 1)
  }

  /// An event of a trace.
  public enum TraceEvent: CustomStringConvertible {
    /// A statement begins to run; a trigger that it fires is reported as `-- TRIGGER name`.
    case statement(Statement)

    /// A statement has run; the duration is in seconds, from its first step to its reset.
    case profile(statement: Statement, duration: TimeInterval)

    /// The statement, preceded by its duration if that is known.
    ///
    /// Bound values are shown only if ``Configuration/publicStatementArguments`` is true.
    public var description: String { description(\.description) }

    /// The statement with the bound values in it, preceded by its duration if that is known.
    ///
    /// After the trace closure has returned, the values are unavailable.
    public var expandedDescription: String { description(\.expandedSQL) }

    private func description(_ text: (Statement) -> String) -> String {
      switch self {
      case .statement(let statement): text(statement)
      case .profile(let statement, let duration):
        "\((duration * 1e6).rounded() / 1e6)s \(text(statement))"
      }
    }

    /// A running statement.
    public struct Statement: CustomStringConvertible {
      fileprivate let running: RunningStatement

      /// The SQL, without the bound values.
      public var sql: String { running.sql }

      /// The SQL with the bound values in it, computed on access.
      ///
      /// After the trace closure has returned, the values are unavailable and this is ``sql``.
      public var expandedSQL: String { running.expandedSQL }

      /// The SQL, with the bound values only if the configuration allows it.
      public var description: String {
        running.showsArguments ? expandedSQL : sql
      }
    }
  }

  /// Traces the statements that run on the connection.
  ///
  /// ```swift
  /// configuration.prepareDatabase { db in
  ///   db.trace(options: .profile) { event in print(event) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - options: The events to report; by default, statements that begin.
  ///   - trace: Called with each event, on the thread that runs the statement; it must not use the
  ///     connection. `nil` ends the tracing.
  /// - SeeAlso: <https://www.sqlite.org/c3ref/trace_v2.html>
  public func trace(
    options: TracingOptions = .statement, _ trace: ((_ event: TraceEvent) -> Void)? = nil
  ) {
    checkAccess()
    handle.ifPresent { setTrace(options, trace) }
  }

  private func setTrace(_ options: TracingOptions, _ trace: ((_ event: TraceEvent) -> Void)?) {
    guard let trace, !options.isEmpty else {
      unsafe sqlite3_trace_v2(handle.pointer, 0, nil, nil)
      handle.tracing = nil
      return
    }
    let tracing = Tracing(
      options: options, showsArguments: configuration.publicStatementArguments, trace: trace)
    // Kept alive until SQLite has the next one.
    let previous = handle.tracing
    defer { withExtendedLifetime(previous) {} }
    handle.tracing = tracing
    unsafe sqlite3_trace_v2(
      handle.pointer, CUnsignedInt(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE),
      { event, context, statement, detail in
        guard let context = unsafe context, let statement = unsafe statement else { return 0 }
        let tracing = unsafe Unmanaged<Tracing>.fromOpaque(context).takeUnretainedValue()
        if event == CUnsignedInt(SQLITE_TRACE_STMT) {
          unsafe tracing.began(OpaquePointer(statement), detail)
        } else {
          unsafe tracing.ended(OpaquePointer(statement))
        }
        return 0
      },
      Unmanaged.passUnretained(tracing).toOpaque())
  }
}

/// A trace of one connection, which turns SQLite's callbacks into events.
@safe
final class Tracing {
  private let options: Database.TracingOptions
  private let showsArguments: Bool
  private let trace: (Database.TraceEvent) -> Void

  /// Whether statements begin that are not the app's.
  var isPaused = false

  // SQLite's own durations have the resolution of its clock, a millisecond.
  private var starts: [OpaquePointer: ContinuousClock.Instant] = unsafe [:]

  init(
    options: Database.TracingOptions, showsArguments: Bool,
    trace: @escaping (Database.TraceEvent) -> Void
  ) {
    self.options = options
    self.showsArguments = showsArguments
    self.trace = trace
  }

  func began(_ statement: OpaquePointer, _ detail: UnsafeMutableRawPointer?) {
    guard !isPaused else { return }
    let text = unsafe detail?.assumingMemoryBound(to: CChar.self)
    // "--" begins the comment with which SQLite reports a trigger.
    let comment = unsafe text.flatMap { text in
      unsafe text[0] == 0x2D && text[1] == 0x2D ? String(cString: text) : nil
    }
    if options.contains(.statement) {
      unsafe report(statement, comment) { .statement($0) }
    }
    // A statement whose own text begins with a comment is reported again in the same way.
    if options.contains(.profile), unsafe starts[statement] == nil {
      unsafe starts[statement] = .now
    }
  }

  func ended(_ statement: OpaquePointer) {
    guard let start = unsafe starts.removeValue(forKey: statement) else { return }
    let duration = (ContinuousClock.now - start) / .seconds(1)
    unsafe report(statement, nil) { .profile(statement: $0, duration: duration) }
  }

  private func report(
    _ statement: OpaquePointer, _ comment: String?,
    _ event: (Database.TraceEvent.Statement) -> Database.TraceEvent
  ) {
    let running = unsafe RunningStatement(
      statement: statement, comment: comment, showsArguments: showsArguments)
    defer { running.end() }
    trace(event(Database.TraceEvent.Statement(running: running)))
  }
}

/// A statement that a trace can use while its closure runs.
@safe
private final class RunningStatement {
  private var statement: OpaquePointer?
  private let comment: String?
  let showsArguments: Bool
  private var knownSQL: String?

  init(statement: OpaquePointer, comment: String?, showsArguments: Bool) {
    unsafe self.statement = statement
    self.comment = comment
    self.showsArguments = showsArguments
  }

  var sql: String {
    if let known = comment ?? knownSQL { return known }
    guard let statement = unsafe statement, let text = unsafe sqlite3_sql(statement) else {
      return ""
    }
    let sql = unsafe String(cString: text).withoutSemicolons
    knownSQL = sql
    return sql
  }

  var expandedSQL: String {
    guard comment == nil, let statement = unsafe statement,
      let text = unsafe sqlite3_expanded_sql(statement)
    else { return sql }
    defer { unsafe sqlite3_free(text) }
    return unsafe String(cString: text).withoutSemicolons
  }

  func end() {
    // The event may be kept, and must still return the SQL.
    _ = sql
    unsafe statement = nil
  }
}
