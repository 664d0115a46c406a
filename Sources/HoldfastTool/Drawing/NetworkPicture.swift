import Foundation
import HoldfastFiles
import HoldfastTransit

/// A picture of a timetable's network: its routes in their colors, its stations, names and sources.
///
/// Equal networks give equal bytes.
struct NetworkPicture {
  /// The document, in SVG.
  let document: String

  /// The size of the document in pixels.
  let width: Int
  let height: Int

  /// The number of pieces of lines.
  let pieceCount: Int

  /// The number of stops that are left out, because they have no position or lie far from all others.
  let leftOutCount: Int

  private static let margin = 28
  private static let header = 64
  private static let footer = 34
  private static let background = "FAFAF7"

  /// Draws a network; `nil` when none of its stops have positions.
  ///
  /// Lines follow the shapes of the feed; where it has none, they are straight from stop to stop.
  init?(_ network: TransitNetwork) {
    let served = network.ways.flatMap(\.stops)
    guard let frame = network.frame else { return nil }
    var points: [Int64: MapFrame.Point] = [:]
    for (sid, place) in network.places { points[sid] = frame.point(place.position) }
    let shapes = network.shapes.mapValues(frame.path)
    var lines = MapLines()
    for way in network.ways {
      lines.add(
        way.shapeID.flatMap { shapes[$0] } ?? way.stops.map { points[$0] },
        layer: Self.layer(way.route.routeType.category),
        color: Self.color(way.route), tripCount: way.tripCount)
    }
    leftOutCount = Set(served).count { points[$0] == nil }
    pieceCount = lines.count
    // Room for the title and the sources beside a narrow map.
    width = max(frame.width, 420) + 2 * Self.margin
    height = frame.height + Self.header + Self.footer + Self.margin

    let stations = Self.stations(network, points)
    var labels = MapLabels(width: frame.width, height: frame.height)
    for station in stations { labels.add(station.name, at: station.point) }

    var svg = SVGText()
    svg.append(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif">
      <title>\(SVGText.escaped(Self.title(network)))</title>
      <rect width="100%" height="100%" fill="#\(Self.background)"/>
      """)
    Self.draw(titlesOf: network, width, &svg)
    let left = (width - frame.width) / 2
    svg.append("<g transform=\"translate(\(left) \(Self.header)) scale(.1)\">")
    // A path may lead outside of the area of its stops.
    svg.append(
      "<clipPath id=\"map\"><rect x=\"-100\" y=\"-100\" width=\"\(frame.width * 10 + 200)\" "
        + "height=\"\(frame.height * 10 + 200)\"/></clipPath>")
    svg.append(
      "<g clip-path=\"url(#map)\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    )
    for (style, drawn) in lines.lines() {
      svg.append(
        "<path stroke=\"#\(style.color)\" stroke-width=\"\(style.width)\" d=\"\(SVGText.path(drawn))\"/>"
      )
    }
    svg.append("</g>")
    Self.draw(stations, on: &svg)
    svg.append("</g>")
    svg.append("<g transform=\"translate(\(left) \(Self.header))\">")
    Self.draw(labels.labels, on: &svg)
    svg.append("</g>")
    Self.draw(footerOf: network, frame, width, height, &svg)
    svg.append("</svg>")
    document = svg.text
  }

  // MARK: - Colors

  /// The place among the lines: what is rarer and faster is above what is everywhere.
  private static func layer(_ category: RouteType.Category) -> Int {
    switch category {
    case .air: 0
    case .bus, .taxi, .other: 1
    case .trolleybus: 2
    case .ferry: 3
    case .tram, .cableTram: 4
    case .rail: 5
    case .metro, .monorail, .funicular, .aerialLift: 6
    }
  }

  /// The color of a route, or of its kind if it has none that is seen on the background.
  private static func color(_ route: Route) -> String {
    guard let color = route.routeColor?.uppercased(), color.utf8.count == 6,
      let value = Int(color, radix: 16), value >= 0,
      color.utf8.allSatisfy({ $0 != UInt8(ascii: "+") })
    else { return route.routeType.category.color }
    let parts = [value >> 16, value >> 8 & 255, value & 255]
    guard let darkest = parts.min(), darkest > 0xA0 else { return color }
    // White is no color of a line, and a pale one is seen when it is darker.
    return darkest > 0xE0
      ? route.routeType.category.color
      : parts.map { HexText.text([UInt8($0 * 7 / 10)]) }.joined().uppercased()
  }

  // MARK: - Stations

  private struct Station {
    var name: String
    var point: MapFrame.Point
    var tripCount: Int
  }

  /// Returns stations, stops of trains, boats and cableways, and the ends of buses' ways, the busiest
  /// first; of those close together only one.
  private static func stations(
    _ network: TransitNetwork, _ points: [Int64: MapFrame.Point]
  ) -> [Station] {
    var tripCounts: [Int64: Int] = [:]
    var shown: Set<Int64> = []
    func station(of sid: Int64) -> Int64 {
      guard let parent = network.places[sid]?.parent, points[parent] != nil else { return sid }
      return parent
    }
    for way in network.ways {
      let isShown = ![.bus, .trolleybus, .taxi, .other].contains(way.route.routeType.category)
      for sid in way.stops {
        let station = station(of: sid)
        tripCounts[station, default: 0] += way.tripCount
        if isShown || network.places[station]?.isStation == true { shown.insert(station) }
      }
      for end in [way.stops.first, way.stops.last] {
        if let end { shown.insert(station(of: end)) }
      }
    }
    var taken: Set<[Int]> = []
    return shown.compactMap { sid -> (sid: Int64, station: Station)? in
      guard let place = network.places[sid], let point = points[sid] else { return nil }
      return (sid, Station(name: place.name, point: point, tripCount: tripCounts[sid] ?? 0))
    }
    .sorted { ($1.station.tripCount, $0.sid) < ($0.station.tripCount, $1.sid) }
    .map(\.station)
    .filter { station in
      let (column, row) = (station.point.x / 50, station.point.y / 50)
      for x in column - 1...column + 1 {
        for y in row - 1...row + 1 where taken.contains([x, y]) { return false }
      }
      return taken.insert([column, row]).inserted
    }
  }

  private static func draw(_ stations: [Station], on svg: inout SVGText) {
    let most = Double(stations.first?.tripCount ?? 1)
    svg.append("<g fill=\"#FFFFFF\" stroke=\"#222222\" stroke-width=\"8\">")
    // The busiest last, so that it is above the others.
    for station in stations.reversed() {
      let share = most > 0 ? Double(station.tripCount) / most : 0
      let radius = 12 + Int((share.squareRoot() * 18).rounded())
      svg.append("<circle cx=\"\(station.point.x)\" cy=\"\(station.point.y)\" r=\"\(radius)\"/>")
    }
    svg.append("</g>")
  }

  private static func draw(_ labels: [MapLabels.Label], on svg: inout SVGText) {
    let halo =
      "fill=\"#222222\" stroke=\"#\(background)\" stroke-width=\"3\" paint-order=\"stroke\""
    svg.append("<g font-size=\"\(MapLabels.fontSize)\" \(halo) stroke-linejoin=\"round\">")
    for label in labels {
      let anchor = label.isLeft ? " text-anchor=\"end\"" : ""
      svg.append(
        "<text x=\"\(label.x)\" y=\"\(label.y)\"\(anchor)>\(SVGText.escaped(label.text))</text>")
    }
    svg.append("</g>")
  }

  // MARK: - Texts

  private static func title(_ network: TransitNetwork) -> String {
    let names = network.agencyNames
    guard let first = names.first else { return network.sources.first ?? "Timetable" }
    switch names.count {
    case 1: return first
    case 2: return "\(first) and \(names[1])"
    default: return "\(first) and \(names.count - 1) other agencies"
    }
  }

  private static func draw(titlesOf network: TransitNetwork, _ width: Int, _ svg: inout SVGText) {
    let columns = max(20, (width - 2 * margin) / 15)
    let title = SVGText.escaped(
      SVGText.printable(title(network)).truncated(toColumns: columns))
    svg.append(
      "<text x=\"\(margin)\" y=\"34\" font-size=\"22\" font-weight=\"bold\" fill=\"#222222\">\(title)</text>"
    )
    var routes: [RouteType.Category: Set<Int64>] = [:]
    for way in network.ways {
      routes[way.route.routeType.category, default: []].insert(way.route.rid)
    }
    var parts = RouteType.Category.allCases.compactMap { category in
      routes[category].map { "\(category.name) \($0.count)" }
    }
    if let days = network.days { parts.append(days) }
    let line = SVGText.printable(parts.joined(separator: " · "))
      .truncated(toColumns: columns * 2)
    svg.append(
      "<text x=\"\(margin)\" y=\"54\" font-size=\"12\" fill=\"#666666\">\(SVGText.escaped(line))</text>"
    )
  }

  private static func draw(
    footerOf network: TransitNetwork, _ frame: MapFrame, _ width: Int, _ height: Int,
    _ svg: inout SVGText
  ) {
    let y = height - 18
    let bar = scaleBar(frame)
    let right = width - margin
    svg.append(
      "<path d=\"M\(right - bar.pixels) \(y - 6)v6h\(bar.pixels)v-6\" fill=\"none\" stroke=\"#666666\"/>"
    )
    svg.append(
      "<text x=\"\(right - bar.pixels - 6)\" y=\"\(y)\" font-size=\"11\" text-anchor=\"end\" "
        + "fill=\"#666666\">\(bar.text)</text>")
    let sources = network.sources.isEmpty ? network.agencyNames : network.sources
    let columns = max(10, (right - bar.pixels - 100) / 7)
    let line = SVGText.printable("Data: " + sources.prefix(4).joined(separator: ", "))
      .truncated(toColumns: columns)
    guard !sources.isEmpty else { return }
    svg.append(
      "<text x=\"\(margin)\" y=\"\(y)\" font-size=\"11\" fill=\"#666666\">"
        + "\(SVGText.escaped(line))</text>")
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
