/// The values of a statement's row, of which adapted rows are made.
struct RowSource {
  let values: [DatabaseValue]
  let layout: RowLayout
  let sql: String?
}

/// The row and the adaptation from which a row adapter made a row.
///
/// It is a class, because all other rows have to release one reference only.
final class AdaptedSource {
  let source: RowSource
  let layout: AdaptedLayout

  init(_ source: RowSource, _ layout: AdaptedLayout) {
    self.source = source
    self.layout = layout
  }
}

extension Row {
  /// The scopes of the row, which row adapters define.
  public var scopes: ScopesView { ScopesView(adaptation: adaptation) }

  /// The scopes of the row and, recursively, of its scopes.
  public var scopesTree: ScopesTreeView { ScopesTreeView(adaptation: adaptation) }

  /// The row without its scopes.
  public var unscoped: Row {
    guard adaptation?.layout.scopes.isEmpty == false else { return self }
    return Row(names: columnNames, values: databaseValues)
  }

  /// The row as the statement returned it, without adapter.
  public var unadapted: Row {
    guard let source = adaptation?.source else { return self }
    return Row(source)
  }

  /// The rows of the scopes of an adapted row, in ascending order of their names.
  public struct ScopesView: RandomAccessCollection {
    let adaptation: AdaptedSource?

    private var all: [(name: String, layout: AdaptedLayout)] { adaptation?.layout.scopes ?? [] }

    /// The names of the scopes.
    public var names: [String] { all.map(\.name) }

    /// The position of the first scope.
    public var startIndex: Int { 0 }

    /// The position after the last scope.
    public var endIndex: Int { all.count }

    /// The name and the row of a scope.
    ///
    /// - Precondition: There is such a scope.
    public subscript(position: Int) -> (name: String, row: Row) {
      guard let adaptation, all.indices.contains(position) else {
        Misuse.trap(Misuse.noScope(at: position, count: all.count))
      }
      return (all[position].name, Row(adaptation.source, all[position].layout))
    }

    /// The row of a scope; `nil` when there is no such scope.
    public subscript(_ name: String) -> Row? {
      all.firstIndex { $0.name.hasSameBytes(as: name) }.map { self[$0].row }
    }
  }

  /// The rows of the scopes of an adapted row, and of the scopes in them.
  public struct ScopesTreeView {
    let adaptation: AdaptedSource?

    /// The names of the scopes at all depths.
    public var names: Set<String> { adaptation?.layout.namesInTree ?? [] }

    /// The row of a scope, which is looked up breadth first; `nil` when there is no such scope.
    public subscript(_ name: String) -> Row? {
      guard let adaptation, let layout = adaptation.layout.scope(inTree: name) else { return nil }
      return Row(adaptation.source, layout)
    }
  }

  // MARK: - Records in scopes

  /// The record in a scope; it traps when there is no such scope, or it contains NULL only.
  public subscript<Record: FetchableRecord>(_ scope: String) -> Record {
    do {
      return try decode(forKey: scope)
    } catch {
      Misuse.trap("\(error)")
    }
  }

  /// The record in a scope; `nil` when there is no such scope, or it contains NULL only.
  public subscript<Record: FetchableRecord>(_ scope: String) -> Record? {
    do {
      return try decodeIfPresent(forKey: scope)
    } catch {
      Misuse.trap("\(error)")
    }
  }

  /// Returns the record in a scope of the row or, recursively, of its scopes.
  ///
  /// - Parameters:
  ///   - type: The type of the record.
  ///   - scope: The name of the scope.
  /// - Returns: The record, decoded from the columns of the scope alone.
  /// - Throws: ``RowDecodingError`` when there is no such scope, or it contains NULL only; whatever
  ///   the record throws.
  public func decode<Record: FetchableRecord>(
    _ type: Record.Type = Record.self, forKey scope: String
  ) throws -> Record {
    guard let record = try decodeIfPresent(type, forKey: scope) else {
      throw error(type, forMissingColumn: scope)
    }
    return record
  }

  /// Returns the record in a scope of the row or, recursively, of its scopes, if it is there.
  ///
  /// - Parameters:
  ///   - type: The type of the record.
  ///   - scope: The name of the scope.
  /// - Returns: The record; `nil` when there is no such scope, or it contains NULL only.
  /// - Throws: Whatever the record throws.
  public func decodeIfPresent<Record: FetchableRecord>(
    _ type: Record.Type = Record.self, forKey scope: String
  ) throws -> Record? {
    guard let row = scopesTree[scope], row.containsNonNullValue else { return nil }
    return try Record(row: row)
  }
}
