// Names of GRDB that do not exist here, with what to write instead.

// MARK: - Associations

extension TableRecord {
  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public static func including(all association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public static func including(optional association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public static func including(required association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public static func joining(optional association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public static func joining(required association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public static func annotated(withOptional association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public static func annotated(withRequired association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request, such as Book.filter(Column(…) == id)"
  )
  public static func belongsTo(
    _ record: some Any, key: String? = nil, using foreignKey: Any? = nil
  ) -> Never { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request, such as Book.filter(Column(…) == id)"
  )
  public static func hasMany(
    _ record: some Any, key: String? = nil, using foreignKey: Any? = nil
  ) -> Never { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request, such as Book.filter(Column(…) == id)"
  )
  public static func hasOne(
    _ record: some Any, key: String? = nil, using foreignKey: Any? = nil
  ) -> Never { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request with a subquery"
  )
  public static func hasMany(
    _ record: some Any, through: some Any, using: some Any, key: String? = nil
  ) -> Never { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request with a subquery"
  )
  public static func hasOne(
    _ record: some Any, through: some Any, using: some Any, key: String? = nil
  ) -> Never { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable, message: "associations do not exist here: write Book.filter(Column(…) == id)"
  )
  public func request(for association: some Any) -> Never { Misuse.trap(Misuse.unavailable) }
}

extension DerivableRequest {
  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public func including(all association: some Any) -> Self { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public func including(optional association: some Any) -> Self {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public func including(required association: some Any) -> Self {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public func joining(optional association: some Any) -> Self { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public func joining(required association: some Any) -> Self { Misuse.trap(Misuse.unavailable) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public func annotated(withOptional association: some Any) -> Self {
    Misuse.trap(Misuse.unavailable)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public func annotated(withRequired association: some Any) -> Self {
    Misuse.trap(Misuse.unavailable)
  }
}

/// Not available: associations do not exist here.
@available(
  *, unavailable,
  message:
    "associations do not exist here: write Book.filter(Column(…) == id) in place of the association"
)
public struct ForeignKey {
  /// Not available: associations do not exist here.
  public init(_ originColumns: [Any], to destinationColumns: [Any]? = nil) {
    Misuse.trap(Misuse.unavailable)
  }
}

// MARK: - Records

extension EncodableRecord {
  /// Not available: a record does not know its earlier state.
  @available(
    *, unavailable, message: "keep the earlier record, and write !record.databaseEquals(earlier)"
  )
  public var hasDatabaseChanges: Bool { Misuse.trap(Misuse.unavailable) }
}

/// Not available: the values before a change are not observed.
@available(
  *, unavailable,
  message: "the values before a change are not observed: implement databaseDidChange(with:)"
)
public struct DatabasePreUpdateEvent {}

// MARK: - Requests

/// Not available: the compiler hides the types of requests.
@available(
  *, unavailable, message: "write 'some FetchRequest<Player>' or 'any FetchRequest<Player>'"
)
public struct AnyFetchRequest<RowDecoder> {
  /// Not available: the compiler hides the types of requests.
  public init(_ request: some FetchRequest<RowDecoder>) { Misuse.trap(Misuse.unavailable) }
}

/// Not available: a request returns its SQL.
@available(
  *, unavailable, message: "implement makeSQL(_:), and makeRowAdapter(_:) if rows are adapted"
)
public struct PreparedRequest {
  /// Not available: a request returns its SQL.
  public init(statement: Statement, adapter: (any RowAdapter)? = nil) {
    Misuse.trap(Misuse.unavailable)
  }
}

extension FetchRequest {
  /// Not available: a request returns its SQL.
  @available(
    *, unavailable, message: "write makeSQL(_:), which returns the SQL with its values"
  )
  public func makePreparedRequest(
    _ db: Database, forSingleResult singleResult: Bool = false
  ) throws -> PreparedRequest { Misuse.trap(Misuse.unavailable) }
}

// MARK: - Connections

extension Database {
  /// Not available: a suspension can close a connection at any moment.
  @available(
    *, unavailable,
    message: "a connection's pointer does not leave the library: write SQL, or a DatabaseFunction"
  )
  public var sqliteConnection: OpaquePointer? { Misuse.trap(Misuse.unavailable) }
}

extension Statement {
  /// Not available: a suspension can close a connection at any moment.
  @available(
    *, unavailable,
    message: "a statement's pointer does not leave the library: write setArguments and makeCursor"
  )
  public var sqliteStatement: OpaquePointer { Misuse.trap(Misuse.unavailable) }
}

extension Configuration {
  /// Not available: a transaction ends with its access.
  @available(
    *, unavailable, message: "a transaction ends with its access: write it in one closure"
  )
  public var allowsUnsafeTransactions: Bool {
    get { Misuse.trap(Misuse.unavailable) }
    set { Misuse.trap(Misuse.unavailable) }
  }

  /// Not available: memory is released by SQLite's own limits.
  @available(
    *, unavailable, message: "remove it, or call releaseMemory() of the database when you want to"
  )
  public var automaticMemoryManagement: Bool {
    get { Misuse.trap(Misuse.unavailable) }
    set { Misuse.trap(Misuse.unavailable) }
  }
}
