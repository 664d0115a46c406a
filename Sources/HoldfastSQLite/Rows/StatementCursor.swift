/// A cursor of a statement's rows.
///
/// ``RecordCursor`` makes a record of each row, and ``DatabaseValueCursor`` a value of its first column.
@safe
public class StatementCursor {
  // Unchecked, because one thread uses a cursor, and a row is read only between two steps.
  @usableFromInline @exclusivity(unchecked) var rows: RunningRows

  /// The statement, of which values are read without a row.
  @usableFromInline let handle: OpaquePointer

  /// Whether a suspension may close the connection between two rows.
  @usableFromInline let isSuspendable: Bool

  /// The adaptation of the rows; `nil` for the rows as they are.
  @exclusivity(unchecked) private var adaptation: RowAdaptation?

  /// Whether the rows are read as they are.
  @usableFromInline let isUnadapted: Bool

  init(
    _ statement: Statement, arguments: StatementArguments?, adapter: (any RowAdapter)? = nil
  ) throws {
    unsafe adaptation = try adapter.map { try RowAdaptation($0, of: statement) }
    isUnadapted = adapter == nil
    unsafe handle = statement.handle
    isSuspendable = statement.isSuspendable
    unsafe rows = try RunningRows(statement, arguments: arguments)
    unsafe rows.pause()
  }

  deinit {
    unsafe rows.abandon()
  }

  /// Moves to the next row; returns false at the end.
  ///
  /// The cursor of a connection that can be suspended is paused after the row was read.
  // One call from the app's module, as `RunningRows.next()`.
  @usableFromInline
  final func advance() throws -> Bool {
    try unsafe rows.nextOfCursor()
  }

  /// Leaves SQLite until the next row is needed.
  @usableFromInline
  final func pause() {
    unsafe rows.pause()
  }

  /// The current row, adapted.
  @usableFromInline
  final func adaptedRow() throws -> Row {
    try unsafe adaptation?.row(of: rows.row) ?? rows.row
  }

  // MARK: - Statement

  /// The SQL of the statement.
  public final var sql: String { unsafe rows.statement.sql }

  /// The values of the statement's parameters.
  public final var arguments: StatementArguments { unsafe rows.statement.arguments }

  /// The names of the columns of the statement's rows.
  public final var columnNames: [String] { unsafe rows.statement.columnNames }

  /// The number of columns of the statement's rows.
  public final var columnCount: Int { unsafe rows.statement.columnCount }

  /// The region that the statement reads.
  public final var databaseRegion: DatabaseRegion { unsafe rows.statement.databaseRegion }
}
