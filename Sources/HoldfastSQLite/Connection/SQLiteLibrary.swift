import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The SQLite that a process uses, and whether it can lose commits in a checkpoint.
///
/// The WAL-reset bug of SQLite 3.7.0 to 3.51.2 needs two connections and one moment: while one of
/// them begins a checkpoint of a log that was moved as a whole, another one commits and so restarts
/// the log. Commits that follow are then not moved into the database file, and are lost with the
/// log. Connections of Holdfast prevent it in their own checkpoints; other libraries' checkpoints
/// do not.
///
/// SQLite 3.11.0 to 3.50.1 also loses commits of a transaction larger than its cache, a part of which was rolled
/// back. With these versions a connection of Holdfast that writes to a write-ahead log keeps the pages that a
/// transaction changes in memory until it ends.
///
/// - SeeAlso: <https://www.sqlite.org/wal.html#walresetbug>
public struct SQLiteLibrary: Hashable, Sendable, CustomStringConvertible {
  /// The version, such as `3.40.1`.
  public var version: String

  /// The date and the identifier of its source code, such as `2022-12-28 14:03:47 df5c253c0b3d…`.
  public var sourceID: String

  /// Creates a value.
  ///
  /// - Parameters:
  ///   - version: The version, such as `3.40.1`.
  ///   - sourceID: The date and the identifier of its source code.
  public init(version: String, sourceID: String) {
    self.version = version
    self.sourceID = sourceID
  }

  /// The library that this process uses: SQLite, or the one in SQLCipher.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/libversion.html>
  public static let current = SQLiteLibrary(
    version: unsafe String(cString: sqlite3_libversion()),
    sourceID: unsafe String(cString: sqlite3_sourceid()))

  /// Whether the library has the WAL-reset bug.
  ///
  /// A library whose maker mended it without a new version is said to have it; that costs a lock in each checkpoint.
  public var hasWALResetBug: Bool {
    let numbers = numbers
    func isBefore(_ other: [Int]) -> Bool { numbers.lexicographicallyPrecedes(other) }
    guard !isBefore([3, 7]) else { return false }
    let isMended =
      !isBefore([3, 51, 3])
      || Self.backports.contains { !isBefore($0) && isBefore([$0[0], $0[1] + 1]) }
    // What was built of the sources on the way to a version has its number already.
    return !isMended || sourceID.prefix(10) < Self.dateOfRepair
  }

  /// The numbers of the version, the main one first.
  private var numbers: [Int] { version.split(separator: ".").map { Int($0) ?? 0 } }

  /// Whether the library loses commits after a part of their transaction was rolled back.
  ///
  /// In SQLite 3.11.0 to 3.50.1 a transaction writes pages into the write-ahead log before its commit when the cache
  /// is full, and again when they change. If they are then rolled back, by ROLLBACK TO or because a statement
  /// fails, the pages of the commit get no checksums, and whoever opens the database after a crash finds neither
  /// that commit nor any later one in the log.
  ///
  /// - SeeAlso: <https://www.sqlite.org/releaselog/3_50_2.html>
  package var losesCommitsAfterPartialRollback: Bool {
    !numbers.lexicographicallyPrecedes([3, 11])
      && numbers.lexicographicallyPrecedes([3, 50, 2])
  }

  /// The same of the library that this process uses, found once: each connection that writes asks.
  static let currentLosesCommits = current.losesCommitsAfterPartialRollback

  /// Whether the process has loaded a second SQLite, as far as its functions have names.
  ///
  /// The locks of two copies belong to one process, which each of them releases when it closes a file.
  ///
  /// - SeeAlso: <https://www.sqlite.org/howtocorrupt.html#multiple_copies_of_sqlite_linked_into_the_same_application>
  package static var hasSecondCopy: Bool { holdfast_has_second_sqlite() != 0 }

  /// The library in a phrase, such as `SQLite 3.40.1, which has the WAL-reset bug`.
  public var description: String {
    "SQLite \(version), which \(hasWALResetBug ? "has" : "does not have") the WAL-reset bug"
  }

  /// The versions to which the repair was taken back.
  private static let backports = [[3, 44, 6], [3, 50, 7]]

  /// The day of the repair.
  private static let dateOfRepair = "2026-03-03"
}
