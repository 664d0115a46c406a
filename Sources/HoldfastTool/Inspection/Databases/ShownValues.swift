import Holdfast

/// The values of one row as they are shown, which may be much shorter than they are.
struct ShownValues: Sendable {
  /// The longest answer, in bytes: a table may have thousands of columns.
  static let mostBytes = 8 << 20

  let cells: [Cell]
  /// About how many bytes they are in an answer.
  let byteCount: Int

  init(_ values: ArraySlice<DatabaseValue>) { self.init(cells: values.map(Cell.preview)) }

  init(cells: [Cell]) {
    self.cells = cells
    byteCount = cells.reduce(0) { count, cell in
      switch cell {
      case .text(let text): count + text.utf8.count
      // Previews of blobs and long texts.
      case .record: count + 1200
      default: count + 16
      }
    }
  }
}
