import HoldfastTransit

/// The legend of a map: a sample of each line with the names of its routes.
struct MapLegend {
  /// A row: a heading, or a sample of a line with a name and more.
  private struct Row {
    /// Six hexadecimal digits; `nil` without a sample.
    var color: String?
    var name: String
    var detail: String
    var isHeading = false
  }

  private struct Item {
    var row: Row
    var x: Double
    var y: Double
  }

  /// The size in pixels.
  let width: Double
  let height: Double

  private var items: [Item] = []

  private static let fontSize = 11.0
  private static let rowHeight = 17.0
  private static let columnGap = 22.0
  private static let sample = 22.0
  private static let textStart = 30.0
  /// The number of entries above which the names of one color share their rows.
  private static let mostEntries = 48
  /// The greatest number of rows with the names of one color.
  private static let mostRows = 12

  /// Lays out a legend.
  ///
  /// - Parameters:
  ///   - entries: The entries, grouped by kind.
  ///   - room: The width of the legend, or the height of each of its columns.
  init(_ entries: [MapLine.Entry], in room: Room) {
    let isCompact = entries.count > Self.mostEntries
    let most =
      switch room {
      case .width(let width): isCompact ? width : max(300, width / 3 - Self.columnGap)
      case .height: entries.count < 30 ? 330.0 : 250.0
      }
    let rows = isCompact ? Self.compactRows(entries, most) : Self.rows(entries)
    let widest = rows.map(Self.width).reduce(0, max)
    let column = min(most, widest)
    let perColumn: Int
    switch room {
    case .width(let width):
      let count = max(1, Int((width + Self.columnGap) / (column + Self.columnGap)))
      perColumn = max(1, (rows.count + count - 1) / count)
    case .height(let height):
      perColumn = max(4, Int(height / Self.rowHeight))
    }
    var (x, y, lowest) = (0.0, 0.0, 0.0)
    for (index, row) in rows.enumerated() {
      // A heading stays with what follows it.
      let isFull = Int(y / Self.rowHeight) >= perColumn
      let isLastOfColumn = Int(y / Self.rowHeight) == perColumn - 1
      if y > 0, isFull || row.isHeading && isLastOfColumn && index + 1 < rows.count {
        (x, y) = (x + column + Self.columnGap, 0)
      }
      items.append(Item(row: Self.fitted(row, column), x: x, y: y))
      y += Self.rowHeight
      lowest = max(lowest, y)
    }
    (width, height) = (rows.isEmpty ? 0 : x + column, lowest)
  }

  /// The side of the map that limits a legend.
  enum Room {
    case width(Double)
    case height(Double)
  }

  // MARK: - Rows

  private static func rows(_ entries: [MapLine.Entry]) -> [Row] {
    var rows: [Row] = []
    var last: RouteType.Category?
    for entry in entries {
      if entry.category != last {
        rows.append(Row(name: entry.category.name, detail: "", isHeading: true))
      }
      last = entry.category
      rows.append(
        Row(
          color: entry.color, name: SVGText.printable(entry.name),
          detail: SVGText.printable(entry.detail)))
    }
    return rows
  }

  /// The names of each color in as many rows as they need.
  private static func compactRows(_ entries: [MapLine.Entry], _ width: Double) -> [Row] {
    var rows: [Row] = []
    var rest = entries
    while let first = rest.first {
      let same = entries.filter { $0.category == first.category && $0.color == first.color }
      if rows.last(where: \.isHeading)?.name != first.category.name {
        rows.append(Row(name: first.category.name, detail: "", isHeading: true))
      }
      let names = same.map { SVGText.printable($0.name) }.joined(separator: " · ")
      var lines = TextMeasure.wrapped(
        names, to: width - textStart, size: fontSize, isBold: true)
      if lines.count > mostRows {
        lines = Array(lines.prefix(mostRows))
        lines[mostRows - 1] += " …"
      }
      for (index, line) in lines.enumerated() {
        rows.append(Row(color: index == 0 ? first.color : nil, name: line, detail: ""))
      }
      rest = rest.filter { $0.category != first.category || $0.color != first.color }
    }
    return rows
  }

  private static func width(_ row: Row) -> Double {
    if row.isHeading { return TextMeasure.width(of: row.name, size: fontSize) }
    let name = TextMeasure.width(of: row.name, size: fontSize, isBold: true)
    let detail = row.detail.isEmpty ? 0 : 6 + TextMeasure.width(of: row.detail, size: fontSize)
    return textStart + name + detail
  }

  private static func fitted(_ row: Row, _ width: Double) -> Row {
    guard Self.width(row) > width, !row.isHeading else { return row }
    var row = row
    row.name = TextMeasure.truncated(
      row.name, to: width - textStart, size: fontSize, isBold: true)
    let start = textStart + TextMeasure.width(of: row.name, size: fontSize, isBold: true) + 6
    row.detail = TextMeasure.truncated(row.detail, to: width - start, size: fontSize)
    return row
  }

  // MARK: - Drawing

  /// Appends the legend with its left upper corner at a point.
  func draw(x: Double, y: Double, on svg: inout SVGText) {
    guard !items.isEmpty else { return }
    svg.append("<g font-size=\"\(SVGText.number(Self.fontSize))\" fill=\"#222222\">")
    for item in items {
      let (left, base) = (x + item.x, y + item.y + 12)
      let row = item.row
      if row.isHeading {
        svg.append(
          "<text x=\"\(SVGText.number(left))\" y=\"\(SVGText.number(base))\" fill=\"#666666\">"
            + "\(SVGText.escaped(row.name))</text>")
        continue
      }
      if let color = row.color {
        svg.append(
          "<path d=\"M\(SVGText.number(left + 2)) \(SVGText.number(base - 4))h"
            + "\(SVGText.number(Self.sample - 4))\" stroke=\"#\(color)\" stroke-width=\"4\" "
            + "stroke-linecap=\"round\"/>")
      }
      let detail =
        row.detail.isEmpty
        ? ""
        : "<tspan dx=\"6\" font-weight=\"normal\" fill=\"#444444\">\(SVGText.escaped(row.detail))</tspan>"
      svg.append(
        "<text x=\"\(SVGText.number(left + Self.textStart))\" y=\"\(SVGText.number(base))\" "
          + "font-weight=\"bold\">\(SVGText.escaped(row.name))\(detail)</text>")
    }
    svg.append("</g>")
  }
}
