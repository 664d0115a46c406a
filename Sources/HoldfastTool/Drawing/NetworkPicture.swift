import Foundation
import HoldfastTransit

/// A picture of a timetable's network: its lines side by side in their colors, every stop, names, a legend
/// and the sources.
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

  private static let margin = 28.0
  private static let footer = 34.0
  private static let background = "FAFAF7"
  /// How far names may reach beyond the map.
  private static let overhang = (x: 150.0, y: 26.0)
  /// The distance within which ways are drawn side by side.
  private static let reach = 4.5

  /// Draws a network; `nil` when none of its stops have positions.
  ///
  /// Lines follow the shapes of the feed; where it has none, they are straight from stop to stop.
  init?(_ network: TransitNetwork) {
    guard let frame = network.frame else { return nil }
    var points: [Int64: MapFrame.Point] = [:]
    for (sid, place) in network.places { points[sid] = frame.point(place.position) }
    let served = Set(network.ways.flatMap(\.stops))
    leftOutCount = served.count { points[$0] == nil }

    let lineOfRoute = MapLine.lines(of: network.routes)
    let lines = Set(lineOfRoute.values).sorted { ($0.layer, $0.color) < ($1.layer, $1.color) }
    let numbers = Dictionary(uniqueKeysWithValues: lines.enumerated().map { ($1, $0) })
    let lineNumbers = lineOfRoute.compactMapValues { numbers[$0] }
    let graph = Self.graph(network, frame, points, lineNumbers)
    pieceCount = graph.trips.values.map(\.count).reduce(0, +)
    let factor = Self.factor(served.compactMap { points[$0] }, frame)
    let bundles = LineBundles(graph, of: lines, factor: factor)
    let markers = MapMarkers(network, points, lineNumbers, bundles, factor: factor)
    let labels = Self.labels(markers, bundles, frame)

    let entries = MapLine.entries(of: network, lineOfRoute)
    let layout = PictureLayout(
      frame, labels.extent, entries, texts: PictureTexts(network), margin: Self.margin,
      footer: Self.footer)
    (width, height) = (layout.width, layout.height)

    var svg = SVGText()
    svg.append(
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="Helvetica, Arial, sans-serif">
      <title>\(SVGText.escaped(layout.texts.title))</title>
      <rect width="100%" height="100%" fill="#\(Self.background)"/>
      """)
    layout.texts.draw(titlesAt: Self.margin, on: &svg)
    let origin =
      "translate(\(SVGText.number(layout.map.x)) \(SVGText.number(layout.map.y)))"
    svg.append("<g transform=\"\(origin) scale(.1)\">")
    // A path may lead outside of the area of its stops.
    svg.append(
      "<clipPath id=\"map\"><rect x=\"-150\" y=\"-150\" width=\"\(frame.width * 10 + 300)\" "
        + "height=\"\(frame.height * 10 + 300)\"/></clipPath>")
    svg.append(
      "<g clip-path=\"url(#map)\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">"
    )
    Self.draw(bundles.strokes, of: lines, on: &svg)
    svg.append("</g>")
    Self.draw(markers.markers, on: &svg)
    svg.append("</g>")
    svg.append("<g transform=\"\(origin)\">")
    Self.draw(labels.labels, on: &svg)
    svg.append("</g>")
    layout.legend.draw(x: layout.legendPlace.x, y: layout.legendPlace.y, on: &svg)
    layout.texts.draw(footerOf: frame, layout, margin: Self.margin, on: &svg)
    svg.append("</svg>")
    document = svg.text
  }

  // MARK: - Parts

  /// The lines as a graph: the most important and the busiest ways decide where its edges lie.
  private static func graph(
    _ network: TransitNetwork, _ frame: MapFrame, _ points: [Int64: MapFrame.Point],
    _ lines: [Int64: Int]
  ) -> LineGraph {
    struct Key: Hashable {
      var line: Int
      var shapeID: String?
      var stops: [Int64]
    }
    var trips: [Key: (count: Int, order: Int)] = [:]
    for (order, way) in network.ways.enumerated() {
      guard let line = lines[way.route.rid] else { continue }
      let hasShape = way.shapeID.map { network.shapes[$0] != nil } ?? false
      let key = Key(
        line: line, shapeID: hasShape ? way.shapeID : nil, stops: hasShape ? [] : way.stops)
      trips[key, default: (0, order)].count += way.tripCount
    }
    var graph = LineGraph(reach: reach)
    // Lines have their numbers by layer.
    let ways = trips.sorted { left, right in
      (right.key.line, right.value.count, left.value.order)
        < (left.key.line, left.value.count, right.value.order)
    }
    for (key, value) in ways {
      let path =
        key.shapeID.flatMap { network.shapes[$0] }.map(frame.path) ?? key.stops.map { points[$0] }
      graph.add(path, line: key.line, tripCount: value.count)
    }
    return graph
  }

  /// The part of the usual size that lines and stops have where many stops are close to each other.
  private static func factor(_ points: [MapFrame.Point], _ frame: MapFrame) -> Double {
    func squares(of tenths: Int) -> Int {
      Set(points.map { MapFrame.Point(x: $0.x / tenths, y: $0.y / tenths) }).count
    }
    // Platforms are one stop.
    let (stops, crowds) = (Double(squares(of: 30)), Double(squares(of: 240)))
    guard stops > 0 else { return 1 }
    let area = Double(frame.width * frame.height) / stops
    return min(1, max(0.4, min(area.squareRoot() / 45, 1.5 * crowds / stops)))
  }

  private static func labels(
    _ markers: MapMarkers, _ bundles: LineBundles, _ frame: MapFrame
  ) -> MapLabels {
    var raster = MapRaster(
      MapRaster.Box(
        x: -overhang.x, y: -overhang.y, width: Double(frame.width) + 2 * overhang.x,
        height: Double(frame.height) + 2 * overhang.y))
    for stroke in bundles.strokes {
      for part in stroke.parts {
        raster.cover(part.polyline, width: stroke.width + 0.5, with: .line)
      }
    }
    for marker in markers.markers {
      let ends = marker.from == marker.to ? [marker.from, marker.from] : [marker.from, marker.to]
      raster.cover(ends, width: 2 * marker.radius, with: .mark)
    }
    var labels = MapLabels(raster)
    for group in markers.groups {
      labels.add(
        group.name, at: group.place, radius: group.radius, isBold: group.isTerminus,
        isNeeded: group.isTerminus)
    }
    return labels
  }

  // MARK: - Drawing

  private static func draw(
    _ strokes: [LineBundles.Stroke], of lines: [MapLine], on svg: inout SVGText
  ) {
    let layers = Dictionary(grouping: strokes) { lines[$0.line].layer }
    for (_, strokes) in layers.sorted(by: { $0.key < $1.key }) {
      // A light edge, by which lines that cross are told apart.
      for stroke in strokes {
        let width = Int(((stroke.width + 1.6) * 10).rounded())
        svg.append(
          "<path stroke=\"#\(background)\" stroke-width=\"\(width)\" d=\"\(SVGText.path(stroke.parts))\"/>"
        )
      }
      for stroke in strokes {
        let width = Int((stroke.width * 10).rounded())
        svg.append(
          "<path stroke=\"#\(lines[stroke.line].color)\" stroke-width=\"\(width)\" "
            + "d=\"\(SVGText.path(stroke.parts))\"/>")
      }
    }
  }

  /// Draws all marks with dark edges and then with light middles, so that a station's marks are one.
  private static func draw(_ markers: [MapMarkers.Marker], on svg: inout SVGText) {
    let groups = Dictionary(grouping: markers, by: \.radius)
    svg.append("<g fill=\"none\" stroke-linecap=\"round\">")
    for (color, edge) in [("222", 0.0), ("FFF", 1.0)] {
      for (radius, markers) in groups.sorted(by: { $0.key < $1.key }) {
        let inner = max(radius * 0.45, radius - edge * 0.9)
        let width = Int((2 * inner * 10).rounded())
        let data = markers.map { marker in
          let (from, to) = (marker.from.point, marker.to.point)
          // A line without a length has no round ends in some programs.
          let length = from == to ? "1 0" : "\(to.x - from.x) \(to.y - from.y)"
          return "M\(from.x) \(from.y)l\(length)"
        }
        svg.append(
          "<path stroke=\"#\(color)\" stroke-width=\"\(width)\" d=\"\(data.joined())\"/>")
      }
    }
    svg.append("</g>")
  }

  private static func draw(_ labels: [MapLabels.Label], on svg: inout SVGText) {
    let texts = labels.map { label in
      let anchor = label.anchor == .start ? "" : " text-anchor=\"\(label.anchor.rawValue)\""
      let weight = label.isBold ? " font-weight=\"bold\"" : ""
      let spans = label.lines.enumerated().map { index, line in
        let y = SVGText.number(label.y + Double(index) * MapLabels.lineHeight)
        return "<tspan x=\"\(SVGText.number(label.x))\" y=\"\(y)\">\(SVGText.escaped(line))</tspan>"
      }
      return "<text\(anchor)\(weight)>\(spans.joined())</text>"
    }
    // The light edge is a text of its own, because not all programs know `paint-order`.
    let size = "font-size=\"\(SVGText.number(MapLabels.fontSize))\""
    svg.append(
      "<g \(size) fill=\"none\" stroke=\"#\(background)\" stroke-width=\"3\" stroke-linejoin=\"round\">"
    )
    for text in texts { svg.append(text) }
    svg.append("</g>")
    svg.append("<g \(size) fill=\"#222222\">")
    for text in texts { svg.append(text) }
    svg.append("</g>")
  }
}
