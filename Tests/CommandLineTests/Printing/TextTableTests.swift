import Foundation
import Testing

@testable import HoldfastTool

@Suite struct TextTableTests {
  private func lines(
    _ records: [OutputRecord], as layout: TextTable.Layout = .everything, columns: Int? = nil
  ) -> [String] {
    let table = TextTable(for: records, as: layout, columns: columns)
    return (table.header.map { [$0.plain] } ?? [])
      + records.map(table.line)
      .flatMap { $0.plain.components(separatedBy: "\n") }
  }

  private let stops: [OutputRecord] = [
    ["sid": .integer(7), "stop_name": .text("東京 Quay"), "stop_lat": .real(-33.8), "note": .null],
    [
      "sid": .integer(1200), "stop_name": .text("Zu\u{308}ri"), "stop_lat": .null,
      "note": .text("x"),
    ],
  ]

  @Test func columnsAreAlignedByDisplayWidth() {
    #expect(
      lines(stops) == [
        " sid  stop_name  stop_lat  note",
        "   7  東京 Quay     -33.8",
        "1200  Zu\u{308}ri                 x",
      ])
  }

  @Test func onATerminalTheWidestTextIsShortened() {
    let columns = 60
    let long: OutputRecord = [
      "sid": .integer(3), "stop_name": .text(String(repeating: "longer ", count: 20)),
      "stop_lat": .real(1.5), "note": .text("y"),
    ]
    #expect(
      lines(stops + [long], columns: columns) == [
        " sid  stop_name                               stop_lat  note",
        "   7  東京 Quay                                  -33.8",
        "1200  Zu\u{308}ri                                              x",
        "   3  longer longer longer longer longer lo…       1.5  y",
      ])
  }

  @Test func belowSixtyColumnsEachRecordIsABlock() {
    #expect(
      lines(stops, columns: 30) == [
        "sid        7", "stop_name  東京 Quay", "stop_lat   -33.8", "",
        "sid        1200", "stop_name  Zu\u{308}ri", "note       x", "",
      ])
    #expect(lines(stops, columns: 34).first == " sid  stop_name  stop_lat  note")
  }

  @Test func anIdentifierIsNeverTruncated() {
    let id = String(repeating: "x1", count: 30)
    let record: OutputRecord = [
      "stop_id": .text(id), "stop_name": .text(String(repeating: "y", count: 60)),
    ]
    #expect(lines([record], columns: 80)[1] == id + "  " + String(repeating: "y", count: 17) + "…")
    // If it does not fit in a column, it is wrapped and stays complete.
    let block = lines([record], columns: 40)
    #expect(block.count == 7)
    #expect(block.joined().filter { "x1".contains($0) } == id)
  }

  @Test func coordinatesAreShortenedFirst() {
    let layout = TextTable.Layout(coordinates: ["stop_lat"])
    let record: OutputRecord = [
      "stop_name": .text(String(repeating: "y", count: 40)), "stop_lat": .real(-33.861234567),
      "factor": .real(0.123456789),
    ]
    #expect(
      lines([record], as: layout, columns: 66)[1]
        == String(repeating: "y", count: 40) + "  -33.86123  0.123456789")
    #expect(lines([record], as: layout, columns: 80)[1].contains("-33.861234567"))
  }

  @Test func emptyColumnsAreRemovedBeforeTextsAreTruncated() {
    let record: OutputRecord = [
      "stop_code": .null, "stop_name": .text(String(repeating: "y", count: 58)),
      "stop_desc": .text(""),
    ]
    #expect(lines([record], columns: 60) == ["stop_name", String(repeating: "y", count: 58)])
    #expect(lines([record], columns: 90)[0].hasPrefix("stop_code  stop_name"))
  }

  @Test func nullIsDistinguishedFromAnEmptyText() {
    let record: OutputRecord = ["a": .null, "b": .text(""), "c": .integer(1)]
    #expect(
      lines([record], as: TextTable.Layout(showsNull: true)) == ["a     b  c", "NULL     1"])
  }

  @Test func aDispensableColumnIsLeftOutBeforeNamesAreTooShort() {
    let record: OutputRecord = [
      "stop_name": .text(String(repeating: "y", count: 20)),
      "route_name": .text(String(repeating: "z", count: 20)),
      "trip_id": .text(String(repeating: "x", count: 30)),
    ]
    let layout = TextTable.Layout(dispensable: ["trip_id"])
    #expect(lines([record], as: layout, columns: 74)[0].hasSuffix("trip_id"))
    #expect(
      lines([record], as: layout, columns: 71)[1].hasPrefix(
        "yyyyyyyyyyyyyyyyy…  zzzzzzzzzzzzzzzzzz…  x"))
    #expect(
      lines([record], as: layout, columns: 65) == [
        "stop_name             route_name",
        "yyyyyyyyyyyyyyyyyyyy  zzzzzzzzzzzzzzzzzzzz",
      ])
    #expect(lines([record], columns: 65)[1].hasSuffix("x"))
  }

  @Test func aTimeIsNeverTruncated() throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Auckland"))
    let record: OutputRecord = [
      "departure": Cell(Date(timeIntervalSince1970: 0), in: zone),
      "stop_name": .text(String(repeating: "y", count: 80)),
    ]
    #expect(
      lines([record], columns: 60)[1]
        == "1970-01-01T12:00:00+12:00  " + String(repeating: "y", count: 32) + "…")
  }

  @Test func stylesAreOfTextsAndNotOfThePaddingAroundThem() {
    let records: [OutputRecord] = [
      ["status": .text("live"), "line": .text("T1")], ["status": .text("canceled"), "line": .null],
    ]
    let layout = TextTable.Layout(
      styles: ["status": ["canceled": .red, "live": .green], "line": ["": .bold]])
    let table = TextTable(for: records, as: layout, columns: 80)
    #expect(table.header == StyledText("status    line", .bold))
    let printed = records.map {
      table.line($0).rendered(escapingControls: true, isStyled: true)
    }
    #expect(
      printed == [
        "\u{1B}[32mlive\u{1B}[0m      \u{1B}[1mT1\u{1B}[0m", "\u{1B}[31mcanceled\u{1B}[0m",
      ])
  }

  @Test(arguments: 1...60)
  func noLineIsWiderThanTheTerminal(columns: Int) {
    for line in lines(stops, columns: columns) {
      #expect(line.displayWidth <= columns)
    }
  }

  @Test func controlCharactersAreEscaped() {
    let record: OutputRecord = [
      "a\u{1B}": .text("two\nlines\u{1B}[2J"), "b": .blob(Data([1, 0xAB])),
      "c": .blob(Data(count: 17)), "d": .bool(true),
    ]
    #expect(
      lines([record]) == [
        #"a\u001b              b        c         d"#,
        #"two\nlines\u001b[2J  x'01ab'  17 bytes  yes"#,
      ])
  }
}
