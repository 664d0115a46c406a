import Testing

@testable import HoldfastSQLite

struct SQLiteLibraryTests {
  /// The releases around each repair, with the days on which they were made.
  @Test(arguments: [
    ("3.6.23.1", "2010-03-26", false), ("3.7.0", "2010-07-22", true),
    ("3.7.0.1", "2010-08-04", true),
    ("3.40.1", "2022-12-28", true), ("3.44.5", "2025-07-29", true), ("3.44.6", "2026-03-13", false),
    ("3.45.0", "2024-01-15", true), ("3.50.6", "2026-01-10", true), ("3.50.7", "2026-03-13", false),
    ("3.51.0", "2025-11-04", true), ("3.51.2", "2026-01-09", true), ("3.51.3", "2026-03-13", false),
    ("3.52.0", "2026-03-06", false), ("3.53.0", "2026-04-09", false),
    ("4.0.0", "2030-01-01", false),
  ])
  func theVersionsWithTheBugAreKnown(version: String, day: String, hasBug: Bool) {
    let library = SQLiteLibrary(version: version, sourceID: "\(day) 12:00:00 0123abcd")
    #expect(library.hasWALResetBug == hasBug)
  }

  /// Sources on the way to a version have its number before they have its repairs.
  @Test(arguments: [
    ("3.52.0", "2026-01-20 10:11:12 0123abcd", true),
    ("3.52.0", "2026-03-02 23:59:59 0123abcd", true),
    ("3.52.0", "2026-03-03 10:00:00 0123abcd", false), ("3.52.0", "", true),
  ])
  func aSnapshotOfTheSourcesIsJudgedByItsDay(version: String, sourceID: String, hasBug: Bool) {
    #expect(SQLiteLibrary(version: version, sourceID: sourceID).hasWALResetBug == hasBug)
  }

  @Test(arguments: [
    ("3.10.2", false), ("3.11.0", true), ("3.40.1", true), ("3.50.1", true), ("3.50.2", false),
    ("3.51.0", false), ("4.0.0", false),
  ])
  func theVersionsThatLoseCommitsAfterAPartialRollbackAreKnown(version: String, isOne: Bool) {
    let library = SQLiteLibrary(version: version, sourceID: "")
    #expect(library.losesCommitsAfterPartialRollback == isOne)
  }

  @Test func theLibraryOfThisProcessIsNamed() {
    let library = SQLiteLibrary.current
    let numbers = library.version.split(separator: ".").compactMap { Int($0) }
    #expect(numbers.count == 3)
    #expect(
      CInt(numbers[0] * 1_000_000 + numbers[1] * 1000 + numbers[2])
        == Database.sqliteLibVersionNumber)
    #expect(library.sourceID.hasPrefix("20"))
  }
}
