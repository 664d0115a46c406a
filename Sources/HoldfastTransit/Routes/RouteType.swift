public import Holdfast

/// The kind of vehicles of a route: a type of GTFS, or one of the extended types from 100 on.
///
/// A number that neither list has is kept, so that no route is lost. Its hundred determines its
/// ``category``, which is otherwise ``Category/other``.
///
/// ```swift
/// let ferries = try Route.fetchAll(db, routeType: .ferry)
/// let isReplacement = route.routeType == 714
/// let symbol = switch route.routeType.category {
/// case .ferry: "ferry"
/// default: "bus"
/// }
/// ```
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#routestxt>,
///   <https://developers.google.com/transit/gtfs/reference/extended-route-types>
public struct RouteType: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByIntegerLiteral, DatabaseValueConvertible
{
  /// The number in the feed.
  public var rawValue: Int

  /// Creates the type with a number; any number is allowed.
  ///
  /// - Parameter rawValue: The number in the feed.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Creates the type with a number.
  ///
  /// - Parameter value: The number in the feed.
  public init(integerLiteral value: Int) {
    rawValue = value
  }

  /// Light rail in the streets.
  public static let tram: RouteType = 0
  /// Underground rail of a city.
  public static let metro: RouteType = 1
  /// Rail between cities, and over long distances.
  public static let rail: RouteType = 2
  /// Buses, over short and long distances.
  public static let bus: RouteType = 3
  /// Boats.
  public static let ferry: RouteType = 4
  /// Cars in the street that a cable below it pulls.
  public static let cableTram: RouteType = 5
  /// Cabins and chairs that hang on cables.
  public static let aerialLift: RouteType = 6
  /// Rail on steep slopes.
  public static let funicular: RouteType = 7
  /// Electric buses below overhead wires.
  public static let trolleybus: RouteType = 11
  /// Rail on a single beam.
  public static let monorail: RouteType = 12

  /// The English name of the type, or of its category if the type has none.
  public var name: String {
    Self.names[rawValue] ?? category.name
  }

  /// The types of GTFS and the extended types, by number.
  public static let known = names.keys.sorted().map { RouteType(rawValue: $0) }
}

extension RouteType {
  /// A group of route types with one symbol and one color: each basic type with its extended types.
  public enum Category: String, Hashable, Sendable, CaseIterable {
    /// Trams.
    case tram
    /// Metros and other urban railways.
    case metro
    /// Railways.
    case rail
    /// Buses and coaches.
    case bus
    /// Ferries and other boats.
    case ferry
    /// Trams that a cable in the street pulls.
    case cableTram = "cable-tram"
    /// Gondolas, cable cars and chair lifts.
    case aerialLift = "aerial-lift"
    /// Funiculars.
    case funicular
    /// Trolleybuses.
    case trolleybus
    /// Monorails.
    case monorail
    /// Airplanes, which only the extended types have.
    case air
    /// Taxis, which only the extended types have.
    case taxi
    /// Everything else, such as horse-drawn carriages.
    case other

    /// The English name.
    public var name: String {
      switch self {
      case .tram: "Tram"
      case .metro: "Metro"
      case .rail: "Rail"
      case .bus: "Bus"
      case .ferry: "Ferry"
      case .cableTram: "Cable Tram"
      case .aerialLift: "Aerial Lift"
      case .funicular: "Funicular"
      case .trolleybus: "Trolleybus"
      case .monorail: "Monorail"
      case .air: "Air"
      case .taxi: "Taxi"
      case .other: "Other"
      }
    }

    /// The color for routes without a color of their own, six hexadecimal digits like
    /// ``Route/routeColor``.
    public var color: String {
      switch self {
      case .tram: "FB8C00"
      case .metro: "6A1B9A"
      case .rail: "B71C1C"
      case .bus: "1565C0"
      case .ferry: "2E7D32"
      case .cableTram: "AD1457"
      case .aerialLift: "006978"
      case .funicular: "5D4037"
      case .trolleybus: "283593"
      case .monorail: "00695C"
      case .air: "455A64"
      case .taxi: "FBC02D"
      case .other: "616161"
      }
    }

    /// The color of legible text on ``color``, six hexadecimal digits.
    public var textColor: String {
      switch self {
      case .tram, .taxi: "000000"
      default: "FFFFFF"
      }
    }
  }

  /// The group to which the type belongs.
  public var category: Category {
    switch rawValue {
    case 405: .monorail
    case 907: .cableTram
    case 0, 900...999: .tram
    // 300, 500 and 600 are the hundreds of the European standard from which the extended types come:
    // suburban railways, metros and underground railways.
    case 1, 400...499, 500...699: .metro
    case 2, 100...199, 300...399: .rail
    case 3, 200...299, 700...799: .bus
    case 4, 1000...1099, 1200...1299: .ferry
    case 5: .cableTram
    case 6, 1300...1399: .aerialLift
    case 7, 1400...1499: .funicular
    case 11, 800...899: .trolleybus
    case 12: .monorail
    case 1100...1199: .air
    case 1500...1599: .taxi
    default: .other
    }
  }
}
