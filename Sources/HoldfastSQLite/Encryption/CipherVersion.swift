#if SQLCipher
  import Synchronization

  /// The version of the SQLCipher that the process is linked with.
  package enum CipherVersion {
    /// The oldest version that leaves a header readable, and has the key derivation of today.
    static let oldest = 4

    private static let isKnownToBeGood = Mutex(false)

    /// Throws if the library is older than ``oldest``, or is SQLite without encryption.
    static func check(_ db: Database) throws {
      guard !isKnownToBeGood.withLock({ $0 }) else { return }
      let text = try String.fetchOne(db, sql: "PRAGMA cipher_version")
      guard isSuitable(text) else { throw DatabaseError.unsuitableLibrary(text, path: db.path) }
      isKnownToBeGood.withLock { $0 = true }
    }

    /// Returns whether a version, such as `4.12.0 community`, is new enough.
    package static func isSuitable(_ version: String?) -> Bool {
      let major = version?.prefix { $0.isASCII && $0.isNumber }
      return major.flatMap { Int($0) }.map { $0 >= oldest } ?? false
    }
  }
#endif
