import Foundation
import HoldfastTransit

/// The title, the line below it and the sources of a picture.
struct PictureTexts {
  let title: String
  private let subtitle: String
  private let sources: String

  /// The lines of the title, and the size of their letters.
  private var titleLines: [String]
  private var titleSize = 22.0
  private var subtitleLines: [String]

  private static let subtitleSize = 12.0
  private static let footerSize = 11.0
  private static let leastTitleSize = 15.0

  /// Creates the texts of a network.
  init(_ network: TransitNetwork) {
    title = SVGText.printable(Self.title(network))
    var routes: [RouteType.Category: Set<Int64>] = [:]
    for way in network.ways {
      routes[way.route.routeType.category, default: []].insert(way.route.rid)
    }
    var parts = RouteType.Category.allCases.compactMap { category in
      routes[category].map { "\(category.name) \($0.count)" }
    }
    if let days = network.days { parts.append(days) }
    subtitle = SVGText.printable(parts.joined(separator: " · "))
    let names = network.sources.isEmpty ? network.agencyNames : network.sources
    sources =
      names.isEmpty
      ? "" : SVGText.printable("Data: " + names.prefix(4).joined(separator: ", "))
    (titleLines, subtitleLines) = ([title], [subtitle])
  }

  private static func title(_ network: TransitNetwork) -> String {
    let names = network.agencyNames
    guard let first = names.first else { return network.sources.first ?? "Timetable" }
    switch names.count {
    case 1: return first
    case 2: return "\(first) and \(names[1])"
    default: return "\(first) and \(names.count - 1) other agencies"
    }
  }

  /// Returns the texts in a width: with smaller letters if need be, and then in several lines.
  func fitted(to width: Double) -> PictureTexts {
    var texts = self
    func isTooWide() -> Bool {
      TextMeasure.width(of: title, size: texts.titleSize, isBold: true) > width
    }
    while isTooWide(), texts.titleSize > Self.leastTitleSize { texts.titleSize -= 1 }
    if isTooWide() {
      let lines = TextMeasure.wrapped(title, to: width, size: texts.titleSize, isBold: true)
      texts.titleLines = lines.prefix(3).map {
        TextMeasure.truncated($0, to: width, size: texts.titleSize, isBold: true)
      }
    }
    texts.subtitleLines = Array(
      TextMeasure.wrapped(subtitle, to: width, size: Self.subtitleSize).prefix(3))
    return texts
  }

  /// The height of both titles, with the space below them.
  var height: Double {
    12 + Double(titleLines.count) * (titleSize + 4) + Double(subtitleLines.count) * 16 + 18
  }

  // MARK: - Drawing

  /// Appends the titles.
  func draw(titlesAt x: Double, on svg: inout SVGText) {
    var y = 12.0
    func text(_ line: String, _ size: Double, _ style: String) -> String {
      "<text x=\"\(SVGText.number(x))\" y=\"\(SVGText.number(y))\" font-size=\"\(SVGText.number(size))\" "
        + "\(style)>\(SVGText.escaped(line))</text>"
    }
    for line in titleLines {
      y += titleSize
      svg.append(text(line, titleSize, "font-weight=\"bold\" fill=\"#222222\""))
      y += 4
    }
    for line in subtitleLines {
      y += 16
      svg.append(text(line, Self.subtitleSize, "fill=\"#666666\""))
    }
  }

  /// Appends the scale and the sources.
  func draw(
    footerOf frame: MapFrame, _ layout: PictureLayout, margin: Double, on svg: inout SVGText
  ) {
    let y = SVGText.number(layout.footerY)
    let bar = Self.scaleBar(frame)
    let right = Double(layout.width) - margin
    let start = right - Double(bar.pixels)
    svg.append(
      "<path d=\"M\(SVGText.number(start)) \(SVGText.number(layout.footerY - 6))v6h\(bar.pixels)v-6\" "
        + "fill=\"none\" stroke=\"#666666\"/>")
    let style = "font-size=\"\(SVGText.number(Self.footerSize))\" fill=\"#666666\""
    svg.append(
      "<text x=\"\(SVGText.number(start - 6))\" y=\"\(y)\" text-anchor=\"end\" \(style)>\(bar.text)</text>"
    )
    guard !sources.isEmpty else { return }
    let line = TextMeasure.truncated(
      sources, to: start - margin - 70, size: Self.footerSize)
    svg.append(
      "<text x=\"\(SVGText.number(margin))\" y=\"\(y)\" \(style)>\(SVGText.escaped(line))</text>")
  }

  /// Returns a round length of at most a fifth of the map.
  private static func scaleBar(_ frame: MapFrame) -> (pixels: Int, text: String) {
    let longest = Double(max(frame.width, 200)) / 5 * frame.metersPerPixel
    let power = pow(10, log10(longest).rounded(.down))
    let meters = [5, 2, 1].map { $0 * power }.first { $0 <= longest } ?? power
    let text = meters >= 1000 ? "\(Int(meters / 1000)) km" : "\(Int(max(1, meters))) m"
    return (max(1, Int((meters / frame.metersPerPixel).rounded())), text)
  }
}
