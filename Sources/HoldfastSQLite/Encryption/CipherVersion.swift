#if SQLCipher
  internal import CSQLCipher
  import Synchronization

  /// The version of the SQLCipher that the process is linked with.
  package enum CipherVersion {
    /// The oldest version whose SQLite has all that is called.
    static let oldest = "4.5.1"

    /// The oldest SQLite with `SQLITE_OPEN_EXRESCODE` and `PRAGMA table_list`; SQLCipher 4.5.0 has 3.36.
    static let oldestSQLite = 3_037_000

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
      func numbers(_ version: String) -> [Int] {
        version.prefix { $0 != " " }.split(separator: ".").map { Int($0) ?? 0 }
      }
      let isOld = numbers(version ?? "").lexicographicallyPrecedes(numbers(oldest))
      return isOld ? .unsuitableLibrary(version, path: path) : nil
    }
  }
#endif
