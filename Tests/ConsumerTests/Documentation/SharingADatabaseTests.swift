import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// The article on sharing shows no Swift that does not compile and run.
@Suite(.schedulerTurn, .timeLimit(.minutes(1))) struct SharingADatabaseTests {
  private let folder: TemporaryDirectory
  private let container: Container
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    container = Container(at: folder.url)
    url = try container.url(
      for: RelocatablePath(.appGroup("group.example.ferries"), "ferries.sqlite"))
  }

  private func names(_ pool: DatabasePool) async throws -> [String] {
    try await pool.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM ferry ORDER BY id")
    }
  }

  private func add(_ name: String, to pool: DatabasePool) throws -> Bool {
    try addFerry(name, to: pool)
  }

  @Test func everyBlockOfTheArticleIsAnExample() throws {
    try Article("SharingADatabase").expectExamples(count: 8)
  }

  @Test func aReaderWaitsUntilTheAppHasMadeTheDatabase() async throws {
    #expect(try openFerriesForReading(at: url) == nil)
    let app = try await openFerries(in: container)
    let reader = try #require(try openFerriesForReading(at: url))
    #expect(try add("Narrabeen", to: app))
    #expect(try await names(reader) == ["Narrabeen"])
  }

  @Test func whatIsNoDatabaseIsNotTakenForAbsence() throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(repeating: 7, count: 4096).write(to: url)
    let error = try #require(throws: SharingError.self) { try openFerriesForReading(at: url) }
    #expect(error.code == .notADatabase)
  }

  @Test func aReaderOfANewerSchemaWaitsForTheApp() async throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    var older = DatabaseMigrator()
    older.registerMigration("Create pier") { db in try db.execute(sql: "CREATE TABLE pier (id)") }
    let app = try await DatabasePool.shared(at: url, migrator: older)
    // It knows nothing of "Create pier", which is another version's.
    let error = try #require(throws: SharingError.self) { try openFerriesForReading(at: url) }
    #expect(error.code == .schemaNewer)
    try await app.write { db in try db.execute(sql: "DELETE FROM grdb_migrations") }
    #expect(try openFerriesForReading(at: url) == nil)
  }

  @Test func aSuspendedDatabaseIsDistinguishedFromABusyOne() async throws {
    let app = try await openFerries(in: container)
    #expect(try addOnce("Narrabeen", to: app))
    #expect(await suspendAndDescribe(app) == "free")
    #expect(try !addOnce("Freshwater", to: app))
    // In a lease it can be used all the same, and is free again after it.
    try await addInBackground("Collaroy", to: app)
    #expect(await suspendAndDescribe(app) == "free")
    app.resume()
    #expect(try await names(app) == ["Narrabeen", "Collaroy"])
  }

  private func addOnce(_ name: String, to pool: DatabasePool) throws -> Bool {
    try addUnlessSuspended(name, to: pool)
  }

  @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  func whatAnotherProcessWritesIsObserved() async throws {
    let app = try await openFerries(in: container)
    let other = try OtherSQLite()
    var seen: [[String]] = []
    try await follow(app) { names in
      seen.append(names)
      if names == [] {
        #expect(throws: Never.self) {
          try other.run("INSERT INTO ferry (name) VALUES ('Narrabeen')", on: url.path)
        }
      }
      return names != ["Narrabeen"]
    }
    #expect(seen == [[], ["Narrabeen"]])
  }

  @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  func aBusyDatabaseIsNoErrorOfTheApp() async throws {
    let app = try await openFerries(in: container)
    try app.close()
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let hasty = try DatabasePool(path: url.path, configuration: configuration)
    let other = try OtherSQLite()
    try other.run("BEGIN IMMEDIATE", on: url.path)
    #expect(try !add("Narrabeen", to: hasty))
    try other.run("ROLLBACK", on: url.path)
    #expect(try add("Narrabeen", to: hasty))
  }
}
