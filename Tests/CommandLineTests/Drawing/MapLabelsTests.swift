import HoldfastTestSupport
import Testing

@testable import HoldfastTool

@Suite struct MapLabelsTests {
  private static let area = MapRaster.Box(x: -100, y: -20, width: 500, height: 240)

  /// The box of a label's text, as a reader's program may draw it.
  private static func box(of label: MapLabels.Label) -> MapRaster.Box {
    let width = label.lines.map {
      TextMeasure.width(of: $0, size: MapLabels.fontSize, isBold: label.isBold)
    }.reduce(0, max)
    let x =
      switch label.anchor {
      case .start: label.x
      case .middle: label.x - width / 2
      case .end: label.x - width
      }
    return MapRaster.Box(
      x: x, y: label.y - 9, width: width,
      height: 10 + MapLabels.lineHeight * Double(label.lines.count - 1))
  }

  @Test func `Names are whole, and beside the lines and each other`() {
    var raster = MapRaster(Self.area)
    let line = [MapVector(0, 100), MapVector(300, 100)]
    raster.cover(line, width: 6, with: .line)
    let lines = raster
    var labels = MapLabels(raster)
    let names = (0..<30).map { "Station \($0) at the harbor" }
    for (number, name) in names.enumerated() {
      labels.add(
        name, at: MapVector(Double(number * 10), 100), radius: 4, isBold: number % 2 == 0,
        isNeeded: false)
    }
    #expect(labels.labels.count > 3 && labels.labels.count < 30)
    let boxes = labels.labels.map(Self.box)
    for (index, label) in labels.labels.enumerated() {
      #expect(names.contains(label.lines.joined(separator: " ")))
      #expect(lines.covered(boxes[index]).lineCount == 0)
      #expect(lines.contains(boxes[index]))
      for other in boxes[(index + 1)...] {
        #expect(!boxes[index].x.overlaps(other.x) || !boxes[index].y.overlaps(other.y))
      }
    }
  }

  @Test func `A terminus is named on a line if there is no other place, and otherwise shortened`() {
    var raster = MapRaster(Self.area)
    raster.cover(MapRaster.Box(x: -100, y: -20, width: 500, height: 240), with: .line)
    var labels = MapLabels(raster)
    labels.add("Quay", at: MapVector(50, 50), radius: 3, isBold: false, isNeeded: false)
    #expect(labels.labels.isEmpty && labels.extent == nil)
    labels.add("Quay", at: MapVector(50, 50), radius: 3, isBold: true, isNeeded: true)
    #expect(labels.labels.map(\.lines) == [["Quay"]])
    // Once is enough.
    labels.add("Quay", at: MapVector(200, 150), radius: 3, isBold: true, isNeeded: true)
    #expect(labels.labels.count == 1)
    let long = String(repeating: "Long", count: 40)
    labels.add(long, at: MapVector(100, 100), radius: 3, isBold: true, isNeeded: true)
    #expect(labels.labels.last?.lines.first?.hasPrefix("LongLong") == true)
    #expect(labels.labels.last?.lines.first?.hasSuffix("…") == true)
  }

  @Test func `A text is as wide as the widest usual font draws it`() {
    #expect(TextMeasure.width(of: "", size: 11) == 0)
    #expect(TextMeasure.width(of: "東京", size: 10) == 21)
    #expect(TextMeasure.width(of: "ill", size: 11) < TextMeasure.width(of: "mmm", size: 11) / 2)
    #expect(TextMeasure.truncated("Circular Quay", to: 60, size: 11) == "Circular…")
    #expect(TextMeasure.truncated("Quay", to: 60, size: 11) == "Quay")
    #expect(TextMeasure.wrapped("one two three", to: 50, size: 11) == ["one two", "three"])
  }
}
