import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

@Suite struct PackedValuesTests {
  /// Values of all storage classes: empty, short, and too long for the block.
  static var values: [DatabaseValue] {
    [
      .null, 1, -1.5, "", "short", "grüße \0 after",
      DatabaseValue(storage: .string(String(repeating: "long", count: 100))),
      DatabaseValue(storage: .blob(Data())), DatabaseValue(storage: .blob(Data([0, 255, 0]))),
      DatabaseValue(storage: .blob(Data(count: 1000))), "last",
    ]
  }

  @Test func valuesRoundTrip() {
    #expect(PackedValues().array == [])
    #expect(PackedValues([]).array == [])
    var none: [(any DatabaseValueConvertible)?] = [nil, nil]
    #expect(PackedValues(reading: &none).array == [.null, .null])
    #expect(PackedValues(Self.values).array == Self.values)
    #expect(PackedValues(Self.values) == PackedValues(Self.values))
    #expect(PackedValues(Self.values) != PackedValues(Self.values.dropLast()))
    #expect(Set([PackedValues(Self.values), PackedValues(Self.values)]).count == 1)
  }

  @Test func valuesAreBoundUnchanged() throws {
    let marks = Self.values.map { _ in "?" }.joined(separator: ", ")
    try Connection.inMemory { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT \(marks)", arguments: StatementArguments(Self.values))
      #expect(row?.databaseValues == Self.values)
    }
  }

  /// A single integer has no block.
  @Test(
    arguments: values + [DatabaseValue(storage: .int64(.min)), DatabaseValue(storage: .int64(0))])
  func aSingleValueIsLikeAnyOther(value: DatabaseValue) throws {
    let single = PackedValues([value])
    var elements: [(any DatabaseValueConvertible)?] = [value]
    let read = PackedValues(reading: &elements)
    var set = PackedValues()
    set.append(contentsOf: [value])
    for packed in [single, read, set] {
      #expect(packed.count == 1)
      #expect(packed.array == [value])
      #expect(Set([packed, single]).count == 1)
    }
    var appended = single
    appended.append(contentsOf: [])
    #expect(appended == single)
    appended.append(contentsOf: Self.values)
    #expect(appended.array == [value] + Self.values)
    #expect(single.array == [value])
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: "SELECT ?")
      for _ in 0..<2 {
        #expect(try DatabaseValue.fetchOne(statement, arguments: [value]) ?? .null == value)
        #expect(statement.arguments == [value])
        // Again, with the bound value.
        #expect(try DatabaseValue.fetchOne(statement) ?? .null == value)
      }
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "SELECT ?, ?", arguments: [value])
      }
    }
  }

  @Test func aCopyDoesNotChangeWhenValuesAreAppended() {
    var appended = PackedValues(["a"])
    for count in 1..<100 {
      let before = appended
      appended.append(contentsOf: Self.values)
      #expect(before.count == 1 + (count - 1) * Self.values.count)
      #expect(appended.count == 1 + count * Self.values.count)
    }
    #expect(appended.array == ["a"] + (1..<100).flatMap { _ in Self.values })
    let one = appended
    var other = appended
    other.append(contentsOf: ["b"])
    #expect(one.array + ["b"] == other.array)
  }
}
