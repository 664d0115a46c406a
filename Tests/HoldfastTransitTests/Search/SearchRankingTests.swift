import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// The order of the found stops, and the stops that are found although the text has errors.
@Suite struct SearchRankingTests {
  let feed: SmallFeed

  init() throws { feed = try SmallFeed() }

  /// Trips that call at stops so often.
  private static func calls(_ counts: [(stop: String, count: Int)]) -> [String: String] {
    var (trips, times) = (
      "route_id,service_id,trip_id\n",
      "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
    )
    for trip in 0..<(counts.map(\.count).max() ?? 0) {
      trips += "F1,W,T\(trip)\n"
      for (position, (stop, count)) in counts.enumerated() where trip < count {
        times += "T\(trip),08:0\(position):00,08:0\(position):00,\(stop),\(position)\n"
      }
    }
    return ["trips.txt": trips, "stop_times.txt": times]
  }

  // MARK: Importance

  /// ST-B6: the order was that of the index.
  @Test func `Where more trips call comes first`() throws {
    let timetable = try feed.timetable(
      of: [
        .init(id: "1", name: "Ash"), .init(id: "2", name: "Ashgrove Road"),
        .init(id: "3", name: "Ashbury Lane"), .init(id: "4", name: "Mount Ash"),
        .init(id: "5", name: "Old Ash Wharf"),
      ], files: Self.calls([("2", 1), ("3", 3), ("4", 2), ("5", 9)]))
    #expect(
      try timetable.names(for: "ash") == [
        "Ash", "Ashbury Lane", "Ashgrove Road", "Old Ash Wharf", "Mount Ash",
      ])
  }

  @Test func `A station is as important as its platforms together`() throws {
    let timetable = try feed.timetable(
      of: [
        .init(id: "C", name: "Central", type: 1),
        .init(id: "C1", name: "Central", parent: "C"),
        .init(id: "C2", name: "Central", parent: "C"),
        .init(id: "P", name: "Central Park"), .init(id: "S", name: "Central Square", type: 1),
      ], files: Self.calls([("C1", 2), ("C2", 2), ("P", 3)]))
    let stops = try timetable.reader.read { db in try StopSearch("cent").fetchAll(db) }
    #expect(stops.map(\.stopID) == ["C", "C1", "C2", "P", "S"])
  }

  // MARK: Distance

  @Test func `With a position the nearest stops come first in each group`() throws {
    let timetable = try feed.timetable(
      of: [
        .init(id: "F", name: "Market", position: "-33.9,151.2"),
        .init(id: "N", name: "Market", position: "-33.8001,151.2"),
        .init(id: "B", name: "Market Street", position: "-33.8002,151.2"),
        .init(id: "A", name: "Old Market", position: "-33.8,151.2"),
        .init(id: "C", name: "Market Lane", position: "-33.85,151.2"),
        .init(id: "X", name: "Market Yard", position: ","),
      ], files: Self.calls([("F", 3), ("C", 2)]))
    let here = try Position(latitude: -33.8, longitude: 151.2)
    let found = { (search: StopSearch) in
      try timetable.reader.read { db in try search.fetchAll(db).map(\.stopID) }
    }
    #expect(try found(StopSearch("market")) == ["F", "N", "C", "X", "B", "A"])
    #expect(try found(StopSearch("market", near: here)) == ["N", "F", "B", "C", "X", "A"])
    #expect(try found(StopSearch("market", limit: 2, near: here)) == ["N", "F"])
    #expect(try found(StopSearch("m", limit: 2, near: here)) == ["N", "B"])
  }

  // MARK: Codes

  /// ST-B6: only the name was indexed, and riders were told to type a code.
  @Test func `A stop is found by its code`() throws {
    let timetable = try feed.timetable(
      of: [
        .init(id: "1", name: "Ash", code: "200712"), .init(id: "2", name: "Elm", code: "200713"),
        .init(id: "3", name: "2007 Street", code: "9"), .init(id: "4", name: "Oak", code: "A-17"),
        .init(id: "5", name: "Platform 20", code: "20"),
        .init(id: "6", name: "Yew", code: "007"),
      ])
    #expect(try timetable.names(for: "200712") == ["Ash"])
    #expect(try timetable.names(for: "2007") == ["2007 Street", "Ash", "Elm"])
    #expect(try timetable.names(for: "elm 200") == ["Elm"])
    #expect(try timetable.names(for: "a-17") == ["Oak"])
    #expect(try timetable.names(for: "17") == ["Oak"])
    #expect(try timetable.names(for: "007") == ["Yew"])
    #expect(try timetable.names(for: "20") == ["Platform 20", "2007 Street", "Ash", "Elm"])
    #expect(try timetable.names(for: "elm 2") == ["Elm"])
    #expect(try timetable.names(for: "2 el 20071") == ["Elm"])
    #expect(try timetable.names(for: "elm 3") == [])
  }

  @Test func `Codes beyond the first block are found too`() throws {
    let timetable = try feed.timetable(
      of: (0..<700).map { .init(id: "\($0)", name: "Stop", code: "\(100_000 + 7 * $0)") })
    for number in [0, 255, 256, 511, 512, 699] {
      let code = "\(100_000 + 7 * number)"
      let stops = try timetable.reader.read { db in try StopSearch(code).fetchAll(db) }
      #expect(stops.map(\.stopCode) == [code])
    }
    let tens = try timetable.reader.read { db in try StopSearch("10179").fetchAll(db) }
    #expect(tens.compactMap(\.stopCode).sorted() == ["101792", "101799"])
    #expect(try timetable.names(for: "99999") == [])
  }

  // MARK: Typing errors

  @Test(arguments: [
    ("centrla", "Central"), ("cntral", "Central"), ("cenntral", "Central"), ("zentral", "Central"),
    ("univresiti", "University"), ("central statoin", "Central Station"), ("quya", "Quay"),
    ("Łodx", "Łódź"),
  ])
  func `A typing error is tolerated when nothing matches`(text: String, name: String) throws {
    let timetable = try feed.timetable(named: [
      "Central", "Central Station", "University", "Quay", "Quarry", "Łódź",
    ])
    #expect(try timetable.names(for: text).contains(name))
    #expect(try timetable.names(for: text).count <= 2)
  }

  @Test func `A typing error is not sought where something matches`() throws {
    let timetable = try feed.timetable(named: ["Ashton", "Aston", "Elm", "Astra"])
    #expect(try timetable.names(for: "asht") == ["Ashton"])
    #expect(try timetable.names(for: "asto") == ["Aston"])
    // Words of three letters have no errors.
    #expect(try timetable.names(for: "elk") == [])
    #expect(try timetable.names(for: "xxxxxxxx") == [])
  }

  // MARK: The list of one letter

  @Test func `The list of a letter is what a search without it finds`() throws {
    let names = (0..<400).map { number in
      number.isMultiple(of: 3) ? "Alder \(number)" : "Beech \(number) at Alder"
    }
    let places = names.enumerated().map { index, name in
      SmallFeed.Place(id: "\(index)", name: name)
    }
    let file = try feed.database(of: places, files: Self.calls([("7", 3), ("9", 2), ("300", 1)]))
    let queue = try DatabaseQueue(path: file.path)
    let timetable = try Timetable(queue)
    let listed = try timetable.names(for: "a", limit: 100)
    #expect(listed.count == 100)
    #expect(listed.prefix(3) == ["Alder 9", "Alder 300", "Alder 0"])
    let letters = try queue.read { db in
      try String.fetchAll(db, sql: "SELECT letter FROM search_letters")
    }
    #expect(letters == ["1", "2", "3", "a", "b"])
    // More than the list has.
    #expect(try timetable.names(for: "a", limit: 101).prefix(100) == listed[...])
    try queue.write { db in try db.execute(sql: "DELETE FROM search_letters") }
    #expect(try timetable.names(for: "a", limit: 100) == listed)
    #expect(try timetable.names(for: "A") == Array(listed.prefix(50)))
    try queue.close()
  }

  // MARK: Damage

  @Test(arguments: [
    ("search_words", "words"), ("search_names", "names"), ("search_codes", "codes"),
    ("search_letters", "stops"),
  ])
  func `A damaged index is an error that names the table`(table: String, column: String) throws {
    let file = try feed.database(
      of: (0..<200).map { .init(id: "\($0)", name: "Stop \($0)", code: "\(500 + $0)") })
    let queue = try DatabaseQueue(path: file.path)
    let timetable = try Timetable(queue)
    try queue.write { db in
      try db.execute(sql: "UPDATE \(table) SET \(column) = x'ffffffffff'")
    }
    // A shorter number than 500 would be sought in the stops' rows, without the index of codes.
    for text in ["s", "stop 500", "5001"] where (text == "s") == (table == "search_letters") {
      let error = #expect(throws: TransitError.self) { try timetable.names(for: text) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains(table) == true)
    }
    try queue.close()
  }
}
