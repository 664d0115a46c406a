/// The names on a map: the most important ones that overlap no other.
struct MapLabels {
  /// A name to the right or to the left of a point.
  struct Label {
    var text: String
    var x: Int
    var y: Int
    var isLeft: Bool
  }

  private struct Box {
    var x: Range<Int>
    var y: Range<Int>

    func overlaps(_ other: Box) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
  }

  /// The size of the letters in pixels.
  static let fontSize = 11

  private static let columns = 30
  private static let most = 48

  /// How far a name may reach beyond the map, in pixels, where the picture has a margin.
  private static let margin = 14

  private(set) var labels: [Label] = []
  private var boxes: [Box] = []
  private let width: Int
  private let height: Int

  /// Creates a map without names.
  ///
  /// - Parameters:
  ///   - width: The width of the map in pixels.
  ///   - height: The height of the map in pixels.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
  }

  /// Adds a name if there is room for it; call it for the most important names first.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - point: The point that is named.
  mutating func add(_ name: String, at point: MapFrame.Point) {
    let text = SVGText.printable(name).truncated(toColumns: Self.columns)
    guard labels.count < Self.most, !text.isEmpty, !labels.contains(where: { $0.text == text })
    else { return }
    let (x, y) = (point.x / 10, point.y / 10)
    let length = text.displayWidth * Self.fontSize * 58 / 100 + 6
    let rows = (y - Self.fontSize + 2)..<(y + 5)
    for isLeft in [false, true] {
      let columns = isLeft ? (x - 6 - length)..<(x - 3) : (x + 3)..<(x + 6 + length)
      let box = Box(x: columns, y: rows)
      guard columns.lowerBound >= -Self.margin, columns.upperBound <= width + Self.margin,
        rows.lowerBound >= -Self.margin, rows.upperBound <= height + Self.margin,
        !boxes.contains(where: box.overlaps)
      else { continue }
      boxes.append(box)
      labels.append(Label(text: text, x: isLeft ? x - 6 : x + 6, y: y + 4, isLeft: isLeft))
      return
    }
  }
}
