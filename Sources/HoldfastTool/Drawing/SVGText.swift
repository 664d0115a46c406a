/// The text of an SVG document, which is written once from its beginning to its end.
struct SVGText {
  /// The document.
  private(set) var text = ""

  /// Appends markup; ``escaped(_:)`` texts of a feed are safe in it.
  mutating func append(_ markup: String) { text += markup + "\n" }

  /// Returns a text in which nothing is markup, and without characters that XML does not allow.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in printable(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a text on one line, without control characters and those that XML does not allow.
  ///
  /// - SeeAlso: <https://www.w3.org/TR/xml/#charsets>
  static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09, 0x0A, 0x0D: result += " "
      case 0..<0x20, 0x7F...0x9F, 0xFFFE...0xFFFF: continue
      // Marks that reverse the direction would reach into the text that follows.
      case 0x202A...0x202E, 0x2066...0x2069: continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a number with at most one decimal: `12.5`.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let (whole, tenth) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return (tenths < 0 ? "-" : "") + "\(whole)" + (tenth == 0 ? "" : ".\(tenth)")
  }

  /// Returns the data of parts of a line, in tenths of a pixel.
  static func path(_ parts: [LineBundles.Part]) -> String {
    var data = ""
    for part in parts {
      switch part {
      case .polyline(let points): data += path(points.map(\.point))
      case .curve(let start, let middle, let end):
        let (from, by, to) = (start.point, middle.point, end.point)
        data += "M\(from.x) \(from.y)q" + relative(by, from, isFirst: true) + relative(to, from)
      }
    }
    return data
  }

  private static func path(_ line: [MapFrame.Point]) -> String {
    guard var last = line.first else { return "" }
    var data = "M\(last.x) \(last.y)"
    for (index, point) in line.dropFirst().enumerated() {
      data += (index == 0 ? "l" : "") + relative(point, last, isFirst: index == 0)
      last = point
    }
    return data
  }

  /// Returns the way from one point to another one; a minus sign separates numbers.
  private static func relative(
    _ point: MapFrame.Point, _ origin: MapFrame.Point, isFirst: Bool = false
  ) -> String {
    let (x, y) = (point.x - origin.x, point.y - origin.y)
    return (isFirst || x < 0 ? "" : " ") + "\(x)" + (y < 0 ? "" : " ") + "\(y)"
  }
}
