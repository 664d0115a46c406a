import Holdfast
import HoldfastTransit

/// Rules for columns that have no property of their own: the zones, groups of stops and booking rules that rows
/// of `stop_times.txt` name, and numbers with a meaning each.
///
/// Many rows have the same values, so that each is reported once for its column, without a line.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/>
struct OtherColumnRules {
  private static let references: [String: [FileRules.Reference]] = [
    StopTimeTable.file: [
      FileRules.Reference("location_group_id", "location_groups.txt"),
      FileRules.Reference("location_id", LocationsTable.file),
      FileRules.Reference("pickup_booking_rule_id", "booking_rules.txt"),
      FileRules.Reference("drop_off_booking_rule_id", "booking_rules.txt"),
    ]
  ]
  private static let choices: [String: [(column: String, range: ClosedRange<Int>)]] = [
    AgencyTable.file: [("cemv_support", 0...2)], RouteTable.file: [("cemv_support", 0...2)],
    StopTable.file: [("stop_access", 0...1)], TripTable.file: [("cars_allowed", 0...2)],
  ]

  private let known: KnownIdentifiers

  init(_ known: KnownIdentifiers) { self.known = known }

  /// Reports what is wrong with the columns of a file.
  func examine(_ columns: OtherColumns, of file: String, in report: ReportBuilder) {
    for reference in Self.references[file] ?? [] {
      guard let table = known[reference.values] else { continue }
      for id in Self.values(of: reference.column, columns)
      where table.number(of: id.text.utf8) == nil {
        report.add(
          .unknownReference(.unknownKeyOfCall, id.text, reference.file)
            .at(file, field: reference.column))
      }
    }
    for choice in Self.choices[file] ?? [] {
      for value in Self.values(of: choice.column, columns)
      where Int(value.text).map(choice.range.contains) != true {
        report.add(.unknownValue(value.text, leftOut: false).at(file, field: choice.column))
      }
    }
  }

  /// Returns the values of a column that are not blank, each once, in their order.
  private static func values(of name: String, _ columns: OtherColumns) -> [ExactText] {
    guard columns.allNames.contains(name) else { return [] }
    var columns = columns
    columns.useAll()
    guard let position = columns.names.firstIndex(of: name) else { return [] }
    return Set(columns.allValues.map { ExactText($0[position]) }).filter { !$0.text.isEmpty }
      .sorted()
  }
}
