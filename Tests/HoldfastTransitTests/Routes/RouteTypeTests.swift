import Foundation
import Holdfast
import HoldfastTransit
import Testing

/// ST-B9: every type has a name, a color and a category.
@Suite struct RouteTypeTests {
  @Test func `The types of GTFS and the extended ones are known`() {
    let basic = RouteType.known.filter { $0.rawValue < 100 }
    #expect(basic.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 11, 12])
    // By hundred, as the list of the extended types has them, and 717, which Sweden uses.
    let counts = Dictionary(grouping: RouteType.known.filter { $0.rawValue >= 100 }) {
      $0.rawValue / 100
    }.mapValues(\.count)
    #expect(
      counts == [
        1: 18, 2: 10, 4: 6, 7: 18, 8: 1, 9: 8, 10: 1, 11: 1, 12: 1, 13: 8, 14: 1, 15: 8, 17: 2,
      ])
  }

  @Test func `The constants are the types of GTFS`() {
    let constants: [RouteType] = [
      .tram, .metro, .rail, .bus, .ferry, .cableTram, .aerialLift, .funicular, .trolleybus,
      .monorail,
    ]
    #expect(constants == RouteType.known.filter { $0.rawValue < 100 })
    // Each has a category of its own, with its name.
    #expect(constants.map(\.category) == Array(RouteType.Category.allCases.prefix(10)))
    #expect(constants.map(\.name) == RouteType.Category.allCases.prefix(10).map(\.name))
  }

  @Test(
    arguments: [
      // Those of the seed's region.
      (401, "Metro Service", .metro), (700, "Bus Service", .bus), (712, "School Bus", .bus),
      (714, "Rail Replacement Bus Service", .bus), (900, "Tram Service", .tram),
      (100, "Railway Service", .rail), (117, "Additional Rail Service", .rail),
      (204, "Regional Coach Service", .bus), (400, "Urban Railway Service", .metro),
      (405, "Monorail", .monorail), (717, "Share Taxi Service", .bus),
      (800, "Trolleybus Service", .trolleybus), (907, "Cable Tram", .cableTram),
      (1000, "Water Transport Service", .ferry), (1100, "Air Service", .air),
      (1200, "Ferry Service", .ferry), (1303, "Elevator Service", .aerialLift),
      (1400, "Funicular Service", .funicular), (1501, "Communal Taxi Service", .taxi),
      (1702, "Horse-drawn Carriage", .other),
    ] as [(Int, String, RouteType.Category)])
  func `An extended type has a name and a category`(
    number: Int, name: String, category: RouteType.Category
  ) {
    let type = RouteType(rawValue: number)
    #expect(type.name == name)
    #expect(type.category == category)
  }

  @Test(
    arguments: [
      (8, "Other", .other), (13, "Other", .other), (99, "Other", .other), (-1, "Other", .other),
      (.max, "Other", .other), (.min, "Other", .other), (199, "Rail", .rail), (300, "Rail", .rail),
      (499, "Metro", .metro), (500, "Metro", .metro), (699, "Metro", .metro), (799, "Bus", .bus),
      (1004, "Ferry", .ferry), (1599, "Taxi", .taxi), (1600, "Other", .other),
      (1800, "Other", .other),
    ] as [(Int, String, RouteType.Category)])
  func `A number without a meaning is kept`(
    number: Int, name: String, category: RouteType.Category
  ) {
    let type = RouteType(rawValue: number)
    #expect(type.rawValue == number)
    #expect(!RouteType.known.contains(type))
    #expect(type.name == name)
    #expect(type.category == category)
  }

  @Test func `Categories have distinct colors with legible text`() throws {
    let categories = RouteType.Category.allCases
    #expect(Set(categories.map(\.color)).count == categories.count)
    #expect(Set(categories.map(\.name)).count == categories.count)
    for category in categories {
      let lights = try [luminance(category.color), luminance(category.textColor)].sorted()
      // WCAG 2.2, success criterion 1.4.3.
      #expect((lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5, "\(category)")
    }
  }

  /// - SeeAlso: <https://www.w3.org/TR/WCAG22/#dfn-relative-luminance>
  private func luminance(_ color: String) throws -> Double {
    #expect(color.wholeMatch(of: /[0-9A-F]{6}/) != nil)
    let number = try #require(Int(color, radix: 16))
    let parts = [number >> 16, number >> 8 & 0xFF, number & 0xFF].map { part in
      let part = Double(part) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  @Test func `Routes are fetched by a type and have one`() throws {
    let timetable = try SmallFeed().timetable(
      of: [.init(id: "Q", name: "Quay")],
      routes: "a,HF,A,,4,\nb,HF,B,,1004,\nc,HF,C,,714,\n")
    try timetable.reader.read { db in
      #expect(try Route.fetchAll(db).map(\.routeType) == [4, 1004, 714])
      #expect(try Route.fetchAll(db, routeType: .ferry).map(\.routeID) == ["a"])
      #expect(try Route.fetchAll(db, routeType: 1004).map(\.routeID) == ["b"])
      #expect(try Route.fetchAll(db, routeType: RouteType(rawValue: .max)).isEmpty)
      let type = try RouteType.fetchOne(db, sql: "SELECT max(route_type) FROM routes")
      #expect(type == 1004)
    }
  }

  /// The models of an app decode a route's type as a number, and may decode it as this type.
  @Test func `A type is a number in JSON`() throws {
    let data = try JSONEncoder().encode([RouteType.ferry, 714])
    #expect(String(decoding: data, as: UTF8.self) == "[4,714]")
    #expect(try JSONDecoder().decode([RouteType].self, from: data) == [4, 714])
  }
}
