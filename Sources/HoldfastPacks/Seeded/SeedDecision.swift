/// The decision what becomes of the user's database when it is opened: a pure value.
enum SeedDecision: Hashable, Sendable {
  /// The database has at least what the seed has.
  case keep
  /// The seed is merged into the database.
  case merge(SeedMerge)
  /// The database is not one of this seed.
  case refuseOtherApplication
  /// A newer seed was merged into the database before.
  case refuseOlderSeed

  /// Decides.
  ///
  /// Seeds are ordered by `user_version`, the only number that a transaction changes together with
  /// the data: it says what was merged, also after a crash and in a restored backup.
  ///
  /// - Parameters:
  ///   - found: The numbers of the user's database.
  ///   - seed: The numbers of the seed.
  init(_ found: PackFile.Schema, seed: PackFile.Schema) {
    if found.applicationID != seed.applicationID {
      self = .refuseOtherApplication
    } else if found.userVersion > seed.userVersion {
      self = .refuseOlderSeed
    } else if found.userVersion < seed.userVersion {
      self = .merge(SeedMerge(fromVersion: found.userVersion, toVersion: seed.userVersion))
    } else {
      self = .keep
    }
  }
}
