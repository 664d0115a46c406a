/// A type whose values represent a region of a database.
public protocol DatabaseRegionConvertible: Sendable {
  /// Returns the region.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The region, which may be empty.
  /// - Throws: ``DatabaseError`` when the region cannot be determined.
  func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
  /// Returns the region itself.
  public func databaseRegion(_ db: Database) -> DatabaseRegion { self }
}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
  /// The region of the whole database: all rows and columns of all tables.
  public static var fullDatabase: DatabaseRegion { DatabaseRegion.fullDatabase }
}

/// A type-erased region.
public struct AnyDatabaseRegionConvertible: DatabaseRegionConvertible {
  private let region: @Sendable (Database) throws -> DatabaseRegion

  /// Creates a value from a closure.
  ///
  /// - Parameter region: Returns the region.
  public init(_ region: @escaping @Sendable (Database) throws -> DatabaseRegion) {
    self.region = region
  }

  /// Creates a value that wraps another one.
  ///
  /// - Parameter region: The other value.
  public init(_ region: some DatabaseRegionConvertible) {
    self.region = { db in try region.databaseRegion(db) }
  }

  /// Returns the region.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    try region(db)
  }
}

extension Collection<any DatabaseRegionConvertible> {
  /// Returns the union of all regions.
  package func unitedRegion(_ db: Database) throws -> DatabaseRegion {
    try reduce(into: DatabaseRegion()) { union, region in
      union.formUnion(try region.databaseRegion(db))
    }
  }
}
