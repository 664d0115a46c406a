// Names of GRDB's associations, with what to write instead.

extension TableRecord {
  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public static func including(all association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public static func including(optional association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public static func including(required association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public static func joining(optional association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public static func joining(required association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public static func annotated(withOptional association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public static func annotated(withRequired association: some Any) -> QueryInterfaceRequest<Self> {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request, such as Book.filter(Column(…) == id)"
  )
  public static func belongsTo(
    _ record: some Any, key: String? = nil, using foreignKey: Any? = nil
  ) -> Never { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request, such as Book.filter(Column(…) == id)"
  )
  public static func hasMany(
    _ record: some Any, key: String? = nil, using foreignKey: Any? = nil
  ) -> Never { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request, such as Book.filter(Column(…) == id)"
  )
  public static func hasOne(
    _ record: some Any, key: String? = nil, using foreignKey: Any? = nil
  ) -> Never { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request with a subquery"
  )
  public static func hasMany(
    _ record: some Any, through: some Any, using: some Any, key: String? = nil
  ) -> Never { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write a function that returns a request with a subquery"
  )
  public static func hasOne(
    _ record: some Any, through: some Any, using: some Any, key: String? = nil
  ) -> Never { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable, message: "associations do not exist here: write Book.filter(Column(…) == id)"
  )
  public func request(for association: some Any) -> Never { Misuse.trap(Misuse.noAssociations) }
}

extension DerivableRequest {
  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public func including(all association: some Any) -> Self { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public func including(optional association: some Any) -> Self {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write a join in SQL, and fetch it with SQLRequest"
  )
  public func including(required association: some Any) -> Self {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public func joining(optional association: some Any) -> Self { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message:
      "associations do not exist here: write filter(otherRequest.select(column).contains(Column(…))) in place of joining"
  )
  public func joining(required association: some Any) -> Self { Misuse.trap(Misuse.noAssociations) }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public func annotated(withOptional association: some Any) -> Self {
    Misuse.trap(Misuse.noAssociations)
  }

  /// Not available: associations do not exist here.
  @available(
    *, unavailable,
    message: "associations do not exist here: write annotated(with: literal) with a subquery"
  )
  public func annotated(withRequired association: some Any) -> Self {
    Misuse.trap(Misuse.noAssociations)
  }
}
