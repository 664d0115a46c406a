public import Foundation
public import Holdfast

/// The versions between which an app merges a newer seed into the user's database.
///
/// The seed is attached under the name `seed`, and can only be read:
///
/// ```swift
/// try db.execute(sql: """
///   INSERT INTO art SELECT * FROM seed.art WHERE true
///   ON CONFLICT (id) DO UPDATE SET name = excluded.name
///   """)
/// ```
public struct SeedMerge: Hashable, Sendable {
  /// The name under which the seed is attached.
  public static let schema = "seed"

  /// The `user_version` of the user's database.
  public let fromVersion: Int32

  /// The `user_version` of the seed, which the user's database gets when the merge is committed.
  public let toVersion: Int32

  package init(fromVersion: Int32, toVersion: Int32) {
    self.fromVersion = fromVersion
    self.toVersion = toVersion
  }
}

/// The database of a previous edition, whose data an app carries over into a new one.
public struct SeedCarryOver: Sendable {
  /// The name under which the previous database is attached.
  public static let schema = "previous"

  /// The file; when it does not exist, there is nothing to carry over.
  public let url: URL

  let body: @Sendable (Database) throws -> Void

  /// Creates a rule for the first start of a new edition.
  ///
  /// - Parameters:
  ///   - url: The file of the previous edition, which is only read.
  ///   - body: Copies the user's data into the new database; the previous one is attached under the
  ///     name `previous`, and can only be read. It is called in a transaction, before the new
  ///     database gets its name.
  public init(from url: URL, _ body: @escaping @Sendable (Database) throws -> Void) {
    self.url = url
    self.body = body
  }
}
