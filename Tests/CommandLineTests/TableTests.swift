import Foundation
import Testing

@testable import HoldfastTool

@Suite struct TableTests {
  private func lines(_ records: [Record], columns: Int? = nil) -> [String] {
    let table = Table(for: records, columns: columns)
    return [table.header] + records.map(table.line)
  }

  private let stops: [Record] = [
    ["sid": .integer(7), "stop_name": .text("東京 Quay"), "stop_lat": .real(-33.8), "note": .null],
    [
      "sid": .integer(1200), "stop_name": .text("Zu\u{308}ri"), "stop_lat": .null,
      "note": .text("x"),
    ],
  ]

  @Test func columnsAreAlignedByWhatIsSeen() {
    #expect(
      lines(stops) == [
        " sid  stop_name  stop_lat  note",
        "   7  東京 Quay     -33.8",
        "1200  Zu\u{308}ri                 x",
      ])
  }

  @Test func onATerminalTheWidestTextGivesWay() {
    let long: Record = [
      "sid": .integer(3), "stop_name": .text(String(repeating: "long ", count: 20)),
      "stop_lat": .real(1.5), "note": .text("y"),
    ]
    #expect(
      lines(stops + [long], columns: 40) == [
        " sid  stop_name           stop_lat  note",
        "   7  東京 Quay              -33.8",
        "1200  Zu\u{308}ri                          x",
        "   3  long long long lo…       1.5  y",
      ])
  }

  @Test(arguments: 1...60)
  func noLineIsWiderThanTheTerminal(columns: Int) {
    for line in lines(stops, columns: columns) {
      #expect(line.displayWidth <= columns)
    }
  }

  @Test func whatCommandsATerminalIsSpelt() {
    let record: Record = [
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
