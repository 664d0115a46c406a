/// A request whose rows are adapted.
///
/// ``FetchRequest/adapted(_:)`` returns one.
public struct AdaptedFetchRequest<Base: FetchRequest>: FetchRequest {
  /// The type to which each adapted row is converted.
  public typealias RowDecoder = Base.RowDecoder

  let base: Base
  private let adapter: @Sendable (Database) throws -> any RowAdapter

  init(_ base: Base, _ adapter: @escaping @Sendable (Database) throws -> any RowAdapter) {
    self.base = base
    self.adapter = adapter
  }

  /// Returns the SQL of the other request.
  public func makeSQL(_ db: Database) throws -> SQL { try base.makeSQL(db) }

  /// Returns the SQL of the other request.
  public func makeSQL(_ db: Database, forSingleResult: Bool) throws -> SQL {
    try base.makeSQL(db, forSingleResult: forSingleResult)
  }

  /// Returns the adapter, which follows the other request's adapter.
  public func makeRowAdapter(_ db: Database) throws -> (any RowAdapter)? {
    let adapter = try adapter(db)
    guard let first = try base.makeRowAdapter(db) else { return adapter }
    return ChainedAdapter(first: first, second: adapter)
  }

  /// Returns the region of the other request.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try base.databaseRegion(db)
  }

  /// Returns the number of rows.
  public func fetchCount(_ db: Database) throws -> Int { try base.fetchCount(db) }

  /// Returns whether there are no rows.
  public func isEmpty(_ db: Database) throws -> Bool { try base.isEmpty(db) }
}

extension FetchRequest {
  /// Returns a request whose rows are adapted.
  ///
  /// - Parameter adapter: Returns the adapter, each time the request is fetched.
  /// - Returns: A request whose rows are seen through the adapter.
  public func adapted(
    _ adapter: @escaping @Sendable (Database) throws -> any RowAdapter
  ) -> AdaptedFetchRequest<Self> {
    AdaptedFetchRequest(self, adapter)
  }
}

/// An adapter of rows that another adapter has adapted.
struct ChainedAdapter: RowAdapter {
  let first: any RowAdapter
  let second: any RowAdapter

  func layout(of columnNames: [String]) throws -> AdaptedRowLayout {
    let base = try first.layout(of: columnNames)
    var layout = try second.layout(of: base.columns.map(\.name))
    try layout.rebase(on: base.columns)
    layout.scopes.merge(base.scopes) { own, _ in own }
    return layout
  }
}

extension AdaptedRowLayout {
  /// Makes positions in adapted columns positions in the statement's rows.
  fileprivate mutating func rebase(on base: [Column]) throws {
    for position in columns.indices {
      guard base.indices.contains(columns[position].index) else {
        throw DatabaseError.noColumn(at: columns[position].index, count: base.count)
      }
      columns[position].index = base[columns[position].index].index
    }
    for name in scopes.keys { try scopes[name]?.rebase(on: base) }
  }
}
