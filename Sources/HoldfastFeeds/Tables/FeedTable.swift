/// A file of GTFS: its columns, and the conversion of a row to a value.
///
/// ARCHITECTURE.md says what else changes with another file of GTFS.
protocol FeedTable {
  associatedtype Row

  /// The name as GTFS spells it.
  static var file: String { get }
  /// Whether a feed is refused whose file has no rows.
  static var needsRows: Bool { get }
  /// The consequence of a flaw in the text of a row.
  static var depth: FeedRows.Depth { get }

  /// Finds the columns in the header, which reports the missing ones.
  init(_ header: inout FeedHeader)

  /// Returns the row as a value; `nil` after an error, or when the row is skipped, which is
  /// reported.
  mutating func row(_ parser: RowParser) -> Row?
}

extension FeedTable {
  static var needsRows: Bool { false }
  static var depth: FeedRows.Depth { .names }
}
