#if SQLCipher
  internal import CSQLCipher
  import Synchronization

  /// The version of the SQLCipher that the process is linked with.
  package enum CipherVersion {
    /// The oldest version that leaves a header readable, and has the key derivation of today.
    static let oldest = 4

    /// The oldest SQLite that has all that is called: that of SQLCipher 4.4.3.
    static let oldestSQLite = 3_034_000

    private static let isKnownToBeGood = Mutex(false)

    /// Throws if the library is older than ``oldest``, or is SQLite without encryption.
    static func check(_ db: Database) throws {
      guard !isKnownToBeGood.withLock({ $0 }) else { return }
      let version = try String.fetchOne(db, sql: "PRAGMA cipher_version")
      if let error = refusal(of: version, path: db.path) { throw error }
      isKnownToBeGood.withLock { $0 = true }
    }

    /// Throws if the library has an older SQLite, which lacks calls that would end the process.
    static func checkLibrary(path: String?) throws(DatabaseError) {
      let version = unsafe String(cString: sqlite3_libversion())
      let number = Int(sqlite3_libversion_number())
      if let error = refusal(ofSQLite: number, version, path: path) { throw error }
    }

    /// Returns the error if the library's SQLite is not new enough.
    ///
    /// - Parameters:
    ///   - number: Its number, such as 3051000.
    ///   - version: Its version, such as `3.51.0`.
    ///   - path: The path of the database.
    /// - Returns: The error; `nil` if it is new enough.
    package static func refusal(
      ofSQLite number: Int, _ version: String, path: String?
    ) -> DatabaseError? {
      number >= oldestSQLite ? nil : .unsuitableLibrary("on SQLite \(version)", path: path)
    }

    /// Returns the error if a version, such as `4.12.0 community`, is not new enough.
    ///
    /// - Parameters:
    ///   - version: The version that the library reports; `nil` for SQLite without encryption.
    ///   - path: The path of the database.
    /// - Returns: The error; `nil` if the version is new enough.
    package static func refusal(of version: String?, path: String?) -> DatabaseError? {
      let major = version?.prefix { $0.isASCII && $0.isNumber }
      let isSuitable = major.flatMap { Int($0) }.map { $0 >= oldest } ?? false
      return isSuitable ? nil : .unsuitableLibrary(version, path: path)
    }
  }
#endif
