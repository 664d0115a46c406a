import Holdfast
import HoldfastTransit

/// `holdfast transit nearby DB LAT LON|LAT,LON [--radius M] [--limit N] [--type TYPE] [--language CODE]`.
struct TransitNearby: Verb {
  private let database = Argument.timetable
  private let place = Argument(
    "LAT", "The latitude in degrees of WGS 84, or the whole position as LAT,LON.", .place)
  private let longitude = Argument(
    optional: "LON", "The longitude in degrees of WGS 84, unless LAT is the position.",
    .number(in: -180...180))
  private let radius = Option(
    "--radius", "M", "Only stops within M meters. Otherwise the nearest ones, however far.",
    .number(in: 0...farthest))
  private let limit = Option(
    "--limit", "N", "Prints at most N stops.", .integer(in: 1...10_000), otherwise: 20)
  private let type = Option(
    "--type", "TYPE",
    "Only of this location_type: \(Reading<Int>.locationTypeNames). Otherwise stops and stations.",
    .locationType)
  private let language = Option.language

  /// A little more than half the circumference of the earth, in meters.
  private static let farthest = 20_100_000.0

  var declaration: Declaration {
    Declaration(
      "nearby", "Lists the stops nearest to a position, with their distances in meters.", database,
      place, longitude, radius, limit, type, language,
      example: "harbour.db -43.805 172.965 --radius 500")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let position = try position(arguments)
    var query = NearbyStops(
      to: position, within: try arguments[radius].map(Distance.init(meters:)),
      limit: arguments[limit])
    if let type = arguments[type] { query.locationTypes = [type] }
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let translations = Translations(arguments[language])
    let stops = try await timetable.reader.read { [query] db in
      try query.fetchAll(db).map { nearby in
        var nearby = nearby
        nearby.stop = try translations.translating(nearby.stop, db)
        return nearby
      }
    }
    var layout = TextTable.Layout.stops
    layout.keys?.insert("distance")
    try output.records(of: "stops", as: layout, stops.lazy.map(OutputRecord.init(nearby:)))
    return .success
  }

  private func position(_ arguments: ParsedArguments) throws -> Position {
    switch (arguments[place], arguments[longitude]) {
    case (.position(let position), nil): return position
    case (.latitude(let latitude), let longitude?):
      return try Position(latitude: latitude, longitude: longitude)
    case (.position, .some): throw ToolError.positionTwice
    case (.latitude, nil):
      throw ToolError.missingArgument(longitude.name, of: "holdfast transit nearby")
    }
  }
}

/// A latitude, or a position in one word.
private enum TypedPlace: Sendable {
  case latitude(Double)
  case position(Position)
}

extension Reading<TypedPlace> {
  fileprivate static let place = Reading(
    expected: "a latitude from -90 to 90, or a position such as -43.805,172.965"
  ) { word in
    if let position = Reading<Position>.position.value(of: [word]) { return .position(position) }
    return Reading<Double>.number(in: -90...90).value(of: [word]).map { .latitude($0) }
  }
}

extension OutputRecord {
  /// Creates the record of a stop with its distance in meters, rounded to decimeters.
  fileprivate init(nearby: NearbyStop) {
    self.init(stop: nearby.stop)
    let distance = (nearby.distance.meters * 10).rounded() / 10
    fields.append(Field(key: "distance", cell: .real(distance)))
  }
}
