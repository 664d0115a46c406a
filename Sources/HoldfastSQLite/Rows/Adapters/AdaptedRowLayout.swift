/// The columns and scopes that a row adapter makes of a statement's rows.
public struct AdaptedRowLayout: Sendable {
  /// A column of an adapted row.
  public struct Column: Hashable, Sendable {
    /// The position of the value in the statement's rows, from 0.
    public var index: Int

    /// The name of the column in the adapted row.
    public var name: String

    /// Creates a column.
    public init(index: Int, name: String) {
      self.index = index
      self.name = name
    }
  }

  /// The columns, in order.
  public var columns: [Column]

  /// The layouts of the scopes by name; their columns are positions in the statement's rows too.
  public var scopes: [String: AdaptedRowLayout]

  /// Creates a layout.
  public init(columns: [Column], scopes: [String: AdaptedRowLayout] = [:]) {
    self.columns = columns
    self.scopes = scopes
  }

  /// Creates the layout of some columns of a statement's rows.
  init(_ columnNames: ArraySlice<String>) {
    self.init(columns: zip(columnNames.indices, columnNames).map { Column(index: $0, name: $1) })
  }
}

/// A layout as rows use it: made once, and shared by all rows of a run.
final class AdaptedLayout: Sendable {
  let indexes: [Int]
  let layout: RowLayout

  /// The scopes, in ascending order of their names.
  let scopes: [(name: String, layout: AdaptedLayout)]

  init(_ layout: AdaptedRowLayout) {
    indexes = layout.columns.map(\.index)
    self.layout = RowLayout(names: layout.columns.map(\.name))
    scopes = layout.scopes.sorted { ExactText($0.key) < ExactText($1.key) }
      .map { (name: $0.key, layout: AdaptedLayout($0.value)) }
  }

  /// Returns the layout of a scope of the row or, breadth first, of its scopes.
  func scope(inTree name: String) -> AdaptedLayout? {
    var level = [self]
    while !level.isEmpty {
      for layout in level {
        if let scope = layout.scopes.first(where: { $0.name.hasSameBytes(as: name) }) {
          return scope.layout
        }
      }
      level = level.flatMap { $0.scopes.map(\.layout) }
    }
    return nil
  }

  /// The names of all scopes, also of those in scopes.
  var namesInTree: Set<String> {
    scopes.reduce(into: []) { names, scope in
      names.insert(scope.name)
      names.formUnion(scope.layout.namesInTree)
    }
  }

  /// Returns the first position that rows of so many columns do not have, also of those in scopes.
  func missingIndex(inRowsOf columnCount: Int) -> Int? {
    indexes.first { !(0..<columnCount).contains($0) }
      ?? scopes.lazy.compactMap { $0.layout.missingIndex(inRowsOf: columnCount) }.first
  }
}

/// The adaptation of the rows of one run.
struct RowAdaptation {
  private let adapter: any RowAdapter
  private let sql: String
  private var source: RowLayout
  private var adapted: AdaptedLayout

  init(_ adapter: any RowAdapter, of statement: Statement) throws {
    self.adapter = adapter
    sql = statement.sql
    source = RowLayout(names: statement.columnNames)
    adapted = try Self.layout(source, adapter, sql: sql)
  }

  private static func layout(
    _ source: RowLayout, _ adapter: any RowAdapter, sql: String
  ) throws -> AdaptedLayout {
    do {
      let layout = AdaptedLayout(try adapter.layout(of: source.names))
      if let index = layout.missingIndex(inRowsOf: source.names.count) {
        throw DatabaseError.noColumn(at: index, count: source.names.count)
      }
      return layout
    } catch var error as DatabaseError where error.sql == nil {
      error.sql = sql
      throw error
    }
  }

  /// Returns a row with its own values.
  mutating func row(of row: Row) throws -> Row {
    if row.layout !== source {
      // The first row, or the statement was prepared again after a change of the schema.
      if row.layout.names != source.names {
        adapted = try Self.layout(row.layout, adapter, sql: sql)
      }
      source = row.layout
    }
    return Row(RowSource(values: row.databaseValues, layout: source, sql: sql), adapted)
  }
}
