import HoldfastTransit

/// The routes that a verb is about: the routes of a category, or of exactly one type.
enum RouteChoice: Sendable {
  case category(RouteType.Category)
  case type(RouteType)

  func includes(_ type: RouteType) -> Bool {
    switch self {
    case .category(let category): type.category == category
    case .type(let chosen): type == chosen
    }
  }

  private static let categories: KeyValuePairs<String, RouteChoice> = [
    "tram": .category(.tram), "metro": .category(.metro), "rail": .category(.rail),
    "bus": .category(.bus), "ferry": .category(.ferry), "cable-tram": .category(.cableTram),
    "aerial-lift": .category(.aerialLift), "funicular": .category(.funicular),
    "trolleybus": .category(.trolleybus), "monorail": .category(.monorail),
    "air": .category(.air), "taxi": .category(.taxi), "other": .category(.other),
  ]

  /// The option for the choice; without it, all routes are meant.
  static let option = Option(
    "--type", "TYPE",
    "Only of this route_type: tram, metro, rail, bus, ferry, cable-tram, aerial-lift, funicular, "
      + "trolleybus, monorail, air, taxi, other, each with its extended types, or one number.",
    .named(categories, orNumberIn: 0...9999) { .type(RouteType(rawValue: $0)) })
}
