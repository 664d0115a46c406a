extension TableRequest where Self: FilteredRequest {
  /// Returns the request for the rows of an FTS5 table that match a pattern, or for no row if it is
  /// `nil`.
  public func matching(_ pattern: FTS5Pattern?) -> Self {
    // A full-text table has a hidden column with its name, which stands for all of them.
    filter(Column(databaseTableName).match(pattern))
  }

  /// Returns the request for the rows of an FTS3 or FTS4 table that match a pattern, or for no row
  /// if it is `nil`.
  public func matching(_ pattern: FTS3Pattern?) -> Self {
    filter(Column(databaseTableName).match(pattern))
  }
}

extension Table {
  /// Returns a request for the rows of an FTS5 table that match a pattern, or for no row if it is
  /// `nil`.
  public func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<RowDecoder> {
    all().matching(pattern)
  }

  /// Returns a request for the rows of an FTS3 or FTS4 table that match a pattern, or for no row if
  /// it is `nil`.
  public func matching(_ pattern: FTS3Pattern?) -> QueryInterfaceRequest<RowDecoder> {
    all().matching(pattern)
  }
}

extension TableRecord {
  /// Returns a request for the rows of an FTS5 table that match a pattern, or for no row if it is
  /// `nil`.
  public static func matching(_ pattern: FTS5Pattern?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }

  /// Returns a request for the rows of an FTS3 or FTS4 table that match a pattern, or for no row if
  /// it is `nil`.
  public static func matching(_ pattern: FTS3Pattern?) -> QueryInterfaceRequest<Self> {
    all().matching(pattern)
  }
}
