import Foundation
import Testing

@testable import HoldfastTool

@Suite struct InstantHeadingsTests {
  private func cell(_ instant: String, _ zone: String) throws -> Cell {
    Cell(
      try Date(instant, strategy: .iso8601), in: try #require(TimeZone(identifier: zone)))
  }

  /// Returns the heading and the texts of each record of instants in a zone.
  private func lines(_ rows: [[(instant: String, zone: String)]]) throws -> [[String]] {
    var headings = InstantHeadings()
    return try rows.map { row in
      let cells = try row.map { try cell($0.instant, $0.zone) }
      let record = OutputRecord(columns: row.indices.map { "\($0)" }, cells: cells)
      let shown = headings.times(of: record, shown: nil)
      return [shown.heading].compactMap { $0 } + shown.record.fields.map(\.cell.tableText)
    }
  }

  @Test func theDayIsNamedOnceAndTheOffsetWithIt() throws {
    let zone = "Pacific/Auckland"
    #expect(
      try lines([
        [("2026-07-23T20:06:00Z", zone)], [("2026-07-24T08:00:30Z", zone)],
        [("2026-07-24T12:00:00Z", zone)], [("2026-07-24T13:05:00Z", zone)],
      ]) == [
        ["Friday 2026-07-24, UTC+12:00", "08:06"], ["20:00:30"],
        ["Saturday 2026-07-25", "00:00"], ["01:05"],
      ])
  }

  @Test func theOffsetIsPrintedWhereItChanges() throws {
    let zone = "America/New_York"
    #expect(
      try lines([
        [("2026-11-01T05:30:00Z", zone)], [("2026-11-01T06:30:00Z", zone)],
        [("2026-11-01T07:00:00Z", zone)],
        [("2026-11-01T08:00:00Z", zone), ("2026-11-01T08:10:00Z", "America/Chicago")],
        [("2026-11-01T08:20:00Z", "America/Chicago")], [("2026-11-01T08:30:00Z", "Etc/UTC")],
      ]) == [
        ["Sunday 2026-11-01, UTC-04:00", "01:30"], ["01:30-05:00"], ["02:00"],
        ["03:00", "02:10-06:00"], ["02:20"], ["08:30+00:00"],
      ])
  }

  @Test func anInstantOfAnotherDayThanTheFirstOneSaysSo() throws {
    #expect(
      try lines([
        [("2026-01-01T23:50:00Z", "Etc/UTC"), ("2026-01-02T00:10:00Z", "Etc/UTC")],
        [("2026-01-02T00:20:00Z", "Etc/UTC"), ("2026-01-01T23:59:59Z", "Etc/UTC")],
      ]) == [
        ["Thursday 2026-01-01, UTC", "23:50", "00:10 +1d"],
        ["Friday 2026-01-02", "00:20", "23:59:59 -1d"],
      ])
  }

  @Test func aColumnThatIsNotShownNeedsNoHeading() throws {
    var headings = InstantHeadings()
    let record: OutputRecord = ["at": try cell("2026-01-01T00:00:00Z", "Etc/UTC")]
    let shown = headings.times(of: record, shown: ["other"])
    #expect(shown.heading == nil && shown.record == record)
    #expect(record.json == #"{"at":"2026-01-01T00:00:00Z"}"#)
  }
}
