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
