/// The definition of an FTS3 table that is being created.
public final class FTS3TableDefinition {
  /// The tokenizer; ``FTS3TokenizerDescriptor/simple`` if `nil`.
  public var tokenizer: FTS3TokenizerDescriptor?

  private var columns: [String] = []

  init() {}

  /// Adds a column.
  ///
  /// - Parameter name: The column's name. A table without any has one that is named `content`.
  public func column(_ name: String) {
    columns.append(name)
  }

  /// The module's arguments: columns, then the tokenizer.
  var arguments: [String] {
    columns.map(\.moduleArgument) + (tokenizer.map { [$0.option] } ?? [])
  }
}
