/// One file of GTFS as the reader needs it: which columns it has and how a row becomes a value.
///
/// A new file of GTFS becomes readable by a new type that conforms; nothing else changes.
protocol FeedTable {
  associatedtype Row

  /// The name as GTFS spells it.
  static var file: String { get }
  /// What it means for the feed that the file holds no row.
  static var severityWithoutRows: FeedProblem.Severity { get }

  /// Takes the columns from the header; what is missing is noted there.
  init(_ header: inout FeedHeader)

  /// The row as a value; `nil` after an error, or where the row was left out and this was noted.
  mutating func row(_ cells: RowParser) -> Row?
}

extension FeedTable {
  static var severityWithoutRows: FeedProblem.Severity { .info }
}
