import Holdfast
import HoldfastFiles
import HoldfastTransit

/// A line of a map: what is drawn in one color on one layer, and the names of its routes.
///
/// Routes of one color are one line, because they could not be told apart side by side.
struct MapLine: Hashable {
  /// The place among the lines, from the bottom up.
  var layer: Int
  /// Six hexadecimal digits.
  var color: String

  /// The entry of a route in the legend: its names.
  struct Entry: Hashable {
    var category: RouteType.Category
    var color: String
    /// The name of the line.
    var name: String
    /// The long name; empty if the line is known by it.
    var detail: String
  }

  /// The number of lines without a color that get different ones.
  private static let mostPalette = 12

  /// Colors that are told apart on a light background, also by most who see few colors.
  private static let palette = [
    "1F77B4", "D62728", "2CA02C", "9467BD", "E07B00", "17A2B8", "8C564B", "C2185B", "5D6D00",
    "3F51B5",
    "00796B", "AD8B00",
  ]

  /// Returns the line of each route, by number.
  ///
  /// A route has its color in the feed. Where it has none that is seen, it has one of its kind, or if
  /// there are few such routes, one of its own.
  static func lines(of routes: [Route]) -> [Int64: MapLine] {
    var lines: [Int64: MapLine] = [:]
    var plain: [ExactText: [Route]] = [:]
    var names: [ExactText] = []
    for route in routes {
      let layer = layer(route.routeType.category)
      if let color = visibleColor(route) {
        lines[route.rid] = MapLine(layer: layer, color: color)
      } else {
        let name = ExactText(route.lineName)
        if plain[name] == nil { names.append(name) }
        plain[name, default: []].append(route)
      }
    }
    for (number, name) in names.enumerated() {
      for route in plain[name] ?? [] {
        let category = route.routeType.category
        let color = names.count == 1 || names.count > mostPalette ? category.color : palette[number]
        lines[route.rid] = MapLine(layer: layer(category), color: color)
      }
    }
    return lines
  }

  /// Returns the entries of a legend: each name once, by kind and then in the order of the routes.
  static func entries(of network: TransitNetwork, _ lines: [Int64: MapLine]) -> [Entry] {
    var seen: Set<[String]> = []
    var entries: [(entry: Entry, rid: Int64)] = []
    for route in network.routes {
      guard let line = lines[route.rid] else { continue }
      let (name, category) = (route.lineName, route.routeType.category)
      guard seen.insert(["\(category)", line.color, name]).inserted else { continue }
      let detail = route.otherName == name ? "" : route.otherName ?? ""
      entries.append(
        (Entry(category: category, color: line.color, name: name, detail: detail), route.rid))
    }
    // Lines of one name are told apart by their ends.
    let counts = Dictionary(grouping: entries) { ExactText($0.entry.name) }.mapValues(\.count)
    let named = entries.map { entry, rid in
      guard entry.detail.isEmpty, counts[ExactText(entry.name)] ?? 0 > 1 else { return entry }
      var entry = entry
      entry.detail = ends(of: rid, in: network)
      return entry
    }
    return RouteType.Category.allCases.flatMap { category in
      named.filter { $0.category == category }
    }
  }

  /// Returns the names of the ends of a route's busiest way.
  private static func ends(of rid: Int64, in network: TransitNetwork) -> String {
    let ways = network.ways.filter { $0.route.rid == rid }
    let busiest = ways.max { ($0.tripCount, $0.stops.count) < ($1.tripCount, $1.stops.count) }
    return [busiest?.stops.first, busiest?.stops.last]
      .compactMap { $0.flatMap { network.places[$0]?.name } }.joined(separator: " – ")
  }

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

  /// The width in pixels of the busiest part.
  var width: Double {
    switch layer {
    case 0: 2
    case 1...3: 3.4
    default: 4.4
    }
  }

  /// The color of a route, if it is seen on the background.
  private static func visibleColor(_ route: Route) -> String? {
    guard let color = route.routeColor?.uppercased(), color.utf8.count == 6,
      let value = Int(color, radix: 16), value >= 0,
      color.utf8.allSatisfy({ $0 != UInt8(ascii: "+") })
    else { return nil }
    let parts = [value >> 16, value >> 8 & 255, value & 255]
    guard let darkest = parts.min(), darkest > 0xA0 else { return color }
    // White is no color of a line, and a pale one is seen when it is darker.
    return darkest > 0xE0
      ? nil : parts.map { HexText.text([UInt8($0 * 7 / 10)]) }.joined().uppercased()
  }
}
