import Holdfast
import HoldfastTransit

/// `holdfast transit nearby DB LAT LON [--radius M] [--limit N] [--type TYPE] [--language CODE]`.
struct TransitNearby: Verb {
  private let database = Argument.timetable
  private let latitude = Argument(
    "LAT", "The latitude in degrees of WGS 84.", .number(in: -90...90))
  private let longitude = Argument(
    "LON", "The longitude in degrees of WGS 84.", .number(in: -180...180))
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
      latitude, longitude, radius, limit, type, language,
      example: "harbour.db -43.805 172.965 --radius 500")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let position = try Position(
      latitude: arguments[latitude], longitude: arguments[longitude])
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
}

extension OutputRecord {
  /// Creates the record of a stop with its distance in meters, rounded to decimeters.
  fileprivate init(nearby: NearbyStop) {
    self.init(stop: nearby.stop)
    let distance = (nearby.distance.meters * 10).rounded() / 10
    fields.append(Field(key: "distance", cell: .real(distance)))
  }
}
