import Foundation
import HoldfastSQLite
import Testing

/// The keys of deleted rows, which are stored by the strategies of their record.
@Suite struct DeletedKeyTests {
  private struct Visit: Codable, FetchableRecord, PersistableRecord, Identifiable {
    var id: Date

    static func databaseDateEncodingStrategy(
      for column: String
    ) -> DatabaseDateEncodingStrategy { .millisecondsSince1970 }

    static func databaseDateDecodingStrategy(
      for column: String
    ) -> DatabaseDateDecodingStrategy { .millisecondsSince1970 }
  }

  private struct Token: Codable, FetchableRecord, PersistableRecord, Identifiable {
    var id: Data

    static func databaseDataEncodingStrategy(
      for column: String
    ) -> DatabaseDataEncodingStrategy { .custom { $0.base64EncodedString() } }

    static func databaseDataDecodingStrategy(
      for column: String
    ) -> DatabaseDataDecodingStrategy {
      .custom { String.fromDatabaseValue($0).flatMap { Data(base64Encoded: $0) } }
    }
  }

  private struct Item: Codable, FetchableRecord, PersistableRecord, Identifiable {
    var id: UUID

    static func databaseUUIDEncodingStrategy(
      for column: String
    ) -> DatabaseUUIDEncodingStrategy { .lowercaseString }
  }

  /// Stores records, and expects that their keys are returned as they are in the records.
  private func expectKeys<Record>(_ records: [Record]) throws
  where
    Record: FetchableRecord & PersistableRecord & Identifiable,
    Record.ID: DatabaseValueConvertible
  {
    try Connection.inMemory { db throws in
      try db.create(table: Record.databaseTableName) { table in
        table.primaryKey("id", .blob)
      }
      for record in records { try record.insert(db) }
      #expect(try Record.filter(id: records[0].id).deleteAndFetchIds(db) == [records[0].id])
      #expect(try Record.all().deleteAndFetchIds(db) == Set(records.dropFirst().map(\.id)))
      #expect(try Record.all().deleteAndFetchIds(db) == [])
    }
  }

  @Test func datesAreThoseOfTheRecords() throws {
    try expectKeys(
      [0, 1_714_566_615.25].map { Visit(id: Date(timeIntervalSince1970: $0)) })
  }

  @Test func dataAreThoseOfTheRecords() throws {
    try expectKeys([Token(id: Data([1, 2, 3])), Token(id: Data("Az09".utf8))])
  }

  @Test func identifiersAreThoseOfTheRecords() throws {
    try expectKeys((0..<3).map { _ in Item(id: UUID()) })
  }

  @Test func aKeyThatDoesNotConvertIsAnError() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE visit (id PRIMARY KEY); INSERT INTO visit VALUES ('yesterday')")
      let error = #expect(throws: RowDecodingError.self) { try Visit.all().deleteAndFetchIds(db) }
      #expect(error?.expectedType == "Date" && error?.storedType == "text")
    }
  }
}
