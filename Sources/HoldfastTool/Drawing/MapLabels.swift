/// The names on a map: whole where there is room, and beside the lines and each other.
struct MapLabels {
  /// A name in one or two lines.
  struct Label {
    var lines: [String]
    /// The point of the anchor and the base of the first line.
    var x: Double
    var y: Double
    var anchor: Anchor
    var isBold: Bool
  }

  /// Which part of a line of text lies at its point.
  enum Anchor: String {
    case start, middle, end
  }

  /// The size of the letters in pixels.
  static let fontSize = 11.0
  /// The height of a line of text in pixels.
  static let lineHeight = 12.0

  /// The length from which a name may be in two lines.
  private static let leastWrapped = 13
  /// The length to which the name of a terminus is shortened where nothing else fits.
  private static let shortest = 90.0

  /// The distances from a stop at which a place is looked for, the preferred one first.
  private static let distances = [2.0, 5, 9, 14]

  private(set) var labels: [Label] = []
  private var raster: MapRaster
  /// The rectangle that the labels need.
  private(set) var extent: MapRaster.Box?
  private var names: Set<String> = []

  /// Creates a map without names.
  ///
  /// - Parameter raster: The squares that the map covers already.
  init(_ raster: MapRaster) {
    self.raster = raster
  }

  private struct Candidate {
    var label: Label
    var box: MapRaster.Box
  }

  /// Adds a name if there is room for it; call it for the most important names first.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - place: The middle of the stop.
  ///   - radius: The distance that the name keeps from it.
  ///   - isBold: Whether the letters are bold.
  ///   - isNeeded: Whether the name may lie on a line, or be shortened, where there is no other place.
  mutating func add(
    _ name: String, at place: MapVector, radius: Double, isBold: Bool, isNeeded: Bool
  ) {
    let text = SVGText.printable(name)
    guard !text.isEmpty, !names.contains(text) else { return }
    let forms = Self.forms(of: text)
    for form in forms {
      for distance in Self.distances.map({ radius + $0 }) {
        for candidate in candidates(form, place, distance, isBold) where isFree(candidate.box) {
          keep(candidate, text)
          return
        }
      }
    }
    guard isNeeded else { return }
    let short = TextMeasure.truncated(
      text, to: Self.shortest, size: Self.fontSize, isBold: isBold)
    for form in forms + [[short]] {
      let free = candidates(form, place, radius + 2, isBold).compactMap { candidate in
        let covered = raster.covered(candidate.box)
        return raster.contains(candidate.box) && !covered.hasMark
          ? (candidate, covered.lineCount) : nil
      }
      if let best = free.min(by: { $0.1 < $1.1 }) {
        keep(best.0, text)
        return
      }
    }
  }

  private func isFree(_ box: MapRaster.Box) -> Bool {
    guard raster.contains(box) else { return false }
    let covered = raster.covered(box)
    return covered.lineCount == 0 && !covered.hasMark
  }

  private mutating func keep(_ candidate: Candidate, _ text: String) {
    let box = candidate.box
    raster.cover(box, with: .mark)
    labels.append(candidate.label)
    names.insert(text)
    guard let old = extent else {
      extent = box
      return
    }
    let (left, top) = (
      min(old.x.lowerBound, box.x.lowerBound), min(old.y.lowerBound, box.y.lowerBound)
    )
    extent = MapRaster.Box(
      x: left, y: top, width: max(old.x.upperBound, box.x.upperBound) - left,
      height: max(old.y.upperBound, box.y.upperBound) - top)
  }

  /// The name in one line, and if it is long in two of similar lengths.
  private static func forms(of text: String) -> [[String]] {
    let words = text.split(separator: " ").map(String.init)
    guard text.count >= leastWrapped, words.count > 1 else { return [[text]] }
    let splits = (1..<words.count).map { count in
      [words[..<count].joined(separator: " "), words[count...].joined(separator: " ")]
    }
    let best = splits.min { left, right in
      left.map(\.count).reduce(0, max) < right.map(\.count).reduce(0, max)
    }
    return [[text]] + (best.map { [$0] } ?? [])
  }

  /// Returns the places around a stop, the most usual ones first.
  private func candidates(
    _ lines: [String], _ place: MapVector, _ distance: Double, _ isBold: Bool
  ) -> [Candidate] {
    let width =
      lines.map { TextMeasure.width(of: $0, size: Self.fontSize, isBold: isBold) }.reduce(0, max)
    let height = Self.lineHeight * Double(lines.count)
    let slant = distance * 0.7
    let spots: [(Anchor, Double, Double)] = [
      (.start, distance, 0), (.end, -distance, 0),
      (.start, slant, -slant - height / 2), (.start, slant, slant + height / 2),
      (.end, -slant, -slant - height / 2), (.end, -slant, slant + height / 2),
      (.middle, 0, -distance - height / 2), (.middle, 0, distance + height / 2),
      (.start, distance, -height / 3), (.start, distance, height / 3),
      (.end, -distance, -height / 3), (.end, -distance, height / 3),
    ]
    return spots.map { anchor, dx, dy in
      let (x, middle) = (place.x + dx, place.y + dy)
      let left =
        switch anchor {
        case .start: x
        case .middle: x - width / 2
        case .end: x - width
        }
      let top = middle - height / 2
      return Candidate(
        label: Label(
          lines: lines, x: x, y: top + Self.fontSize * 0.86, anchor: anchor, isBold: isBold),
        box: MapRaster.Box(x: left, y: top, width: width, height: height))
    }
  }
}
