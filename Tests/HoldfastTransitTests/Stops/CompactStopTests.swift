import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Stops in few bytes have the values of the feed, in any tool.
@Suite struct CompactStopTests {
  @Test(arguments: [
    (["10", "11", "9"], ""), (["ch:1:7", "ch:1:8", "4"], "ch:1:"), (["A", "B"], ""), ([], ""),
    (["S001", "S002", "S010"], "S00"), (["O'1", "O'2"], ""), (["\u{212A}1", "\u{212A}2"], ""),
  ])
  func `The form by which most is saved is found`(identifiers: [String], prefix: String) {
    #expect(StopIDForm(of: identifiers).prefix == prefix)
    #expect(StopIDForm(of: identifiers.reversed()).prefix == prefix)
  }

  @Test(arguments: [
    "K1", "K0", "K01", "K00", "K", "k1", "\u{212A}1", "1", "-1", "K999999999999999999",
    "K9223372036854775808", "", "K 1", "K+1", "K1\u{301}", "K１", "O'K1",
  ])
  func `An identifier is the one that SQL makes of what is stored`(identifier: String) throws {
    let form = StopIDForm(of: ["K1", "K2"])
    #expect(form.prefix == "K")
    let queue = try DatabaseQueue()
    let value: DatabaseValue =
      switch form.stored(identifier) {
      case .number(let number): number.databaseValue
      case .text(let text): text.databaseValue
      }
    let made = try queue.read { db in
      try String.fetchOne(db, sql: "SELECT \(form.sql) FROM (SELECT ? AS id)", arguments: [value])
    }
    #expect(made?.utf8.elementsEqual(identifier.utf8) == true)
  }

  @Test func `Names coordinates and codes are those of the feed`() throws {
    let feed = try SmallFeed()
    var random = SeededRandom()
    let names = [
      "Ash, Elm", "Ash, Oak", "Fir, Elm", "Fir, Elm", ", x", "Łódź (A)", "x / y / z", "7",
    ]
    let places = (0..<300).map { number in
      let digits = Int.random(in: 0...12, using: &random)
      let latitude = String(
        format: "%.\(digits)f", Double.random(in: -90...90, using: &random))
      return SmallFeed.Place(
        id: Bool.random(using: &random) ? "ch:\(number)" : "0\(number)",
        name: names[number / 4 % names.count],
        code: ["", "\(number)", "00\(number)", "é\(number)"][number % 4],
        position: "\(latitude),\(number % 7 == 0 ? "-0.0" : "179.9999999")")
    }
    let timetable = try feed.timetable(of: places)
    try timetable.reader.read { db in
      for place in places {
        let stop = try #require(try Stop.fetchOne(db, stopID: place.id))
        let coordinates = place.position.split(separator: ",").map { Double($0) }
        #expect(stop.stopName == place.name && stop.stopCode ?? "" == place.code)
        #expect(stop.stopLat == coordinates[0] && stop.stopLon == coordinates[1])
        #expect(stop.stopLon?.sign == coordinates[1]?.sign)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM stops_fts") == places.count)
      let parts = try String.fetchAll(db, sql: "SELECT text FROM name_parts ORDER BY part")
      #expect(parts.contains(", Elm"))
      let types = try String.fetchAll(db, sql: "SELECT DISTINCT typeof(lat) FROM packed_stops")
      #expect(Set(types) == ["integer", "real"])
    }
  }

  /// The stops of two newer feeds are numbered after all older ones, and lie between them.
  @Test func `Identifiers are found by their order after newer feeds`() throws {
    let queue = try DatabaseQueue()
    let form = StopIDForm(of: ["x1"])
    let ids = [
      (0..<200).map { "x\(1000 + $0 * 3)" }, ["a", "x1001", "x1004", "x1150b", "z", "x1299"],
      ["", "x1002", "x1151", "\u{1F680}"],
    ].flatMap(\.self)
    try queue.write { db in
      try TimetableSchema.create(db, stopIDs: form)
      var writer = StopWriter(stopIDs: form)
      let statements = try StopWriter.Statements(db)
      for (index, id) in ids.enumerated() {
        if index % 7 == 0 {
          try writer.insertRetired(Int64(index + 1), stopID: id, statements)
        } else {
          try writer.insert(
            .init(sid: Int64(index + 1), stopID: id, stopName: "A"), statements)
        }
      }
      try writer.insertIdentifiers(db)
      let all = try String.fetchAll(db, sql: "SELECT stop_id FROM dict_stop ORDER BY sid")
      #expect(all == ids)
      for (index, id) in ids.enumerated() {
        let sids = try Int64.fetchAll(
          db, sql: "SELECT sid FROM dict_stop WHERE stop_id = ?", arguments: [id])
        #expect(sids == [Int64(index + 1)])
      }
      for id in ["x1003b", "b", "zz", "x999"] {
        #expect(try Stop.fetchOne(db, stopID: id) == nil)
      }
      let sizes = try Int.fetchAll(db, sql: "SELECT last - first + 1 FROM stop_ids")
      #expect(sizes.reduce(0, +) == ids.count && sizes.max() == 64 && sizes.count < 25)
    }
  }

  /// The seed's own SQL, in a database of any tool: it names the index in two ways.
  @Test func `The queries of older apps run on the compact tables`() throws {
    let timetable = try SmallFeed().timetable(of: [
      .init(id: "1", name: "Circular Quay"), .init(id: "2", name: "Circular Quay"),
      .init(id: "3", name: "O’Brien Circle"), .init(id: "4", name: "Łódź"),
    ])
    let found = { (pattern: String) in
      try timetable.reader.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT s.* FROM stops s JOIN stops_fts fts ON s.sid = fts.sid
            WHERE stops_fts MATCH ? LIMIT 50
            """, arguments: [pattern]
        ).map { $0["stop_name"] as String }
      }
    }
    #expect(try found("circular*") == ["Circular Quay", "Circular Quay"])
    // Two words for the tokenizer, which must follow each other.
    #expect(try found("o’brien*") == ["O’Brien Circle"])
    #expect(try found("lodz*") == ["Łódź"])
    #expect(try found("qu* circ*").count == 2)
    let ranked = try timetable.reader.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM stops_fts WHERE stops_fts MATCH 'circ*' ORDER BY rank")
    }
    #expect(ranked.count == 3)
  }
}
