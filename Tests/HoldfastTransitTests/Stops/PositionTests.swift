import Foundation
import HoldfastTestSupport
import HoldfastTransit
import Testing

@Suite struct PositionTests {
  @Test(
    arguments: [
      // Greenwich to New York's parallel and meridian, a degree along the equator and along a meridian,
      // a quarter, half the circumference; by Python's math.
      (51.4779, 0.0, 40.7128, -74.006, 5_579_660.7),
      (0, 0, 0, 1, 111_195.1), (0, 0, 1, 0, 111_195.1), (0, 0, 90, 0, 10_007_557.2),
      (0, 0, 0, 180, 20_015_114.4), (45, 10, -45, -170, 20_015_114.4),
      (90, 0, -90, 77, 20_015_114.4),
      // Across the antimeridian, and over a pole.
      (-17, 179.9, -17, -179.9, 21_267.3), (89.9, 0, 89.9, 180, 22_239.0),
    ] as [(Double, Double, Double, Double, Double)])
  func `Distances are those of the great circle`(
    latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double,
    meters: Double
  ) throws {
    let here = try Position(latitude: latitude, longitude: longitude)
    let there = try Position(latitude: otherLatitude, longitude: otherLongitude)
    #expect(abs(here.distance(to: there).meters - meters) < 0.1)
    #expect(here.distance(to: there) == there.distance(to: here))
    #expect(here.distance(to: here).meters == 0)
  }

  @Test func `Small distances are exact to the micrometer`() throws {
    for longitude in [0, 12.5, 179.9999999, -180] as [Double] {
      let here = try Position(latitude: 60, longitude: longitude)
      let there = try Position(latitude: 60.000_000_1, longitude: longitude)
      #expect(abs(here.distance(to: there).meters - 0.011_119_5) < 1e-6)
    }
  }

  @Test func `A meridian with two longitudes is one place`() throws {
    let east = try Position(latitude: -17, longitude: 180)
    let west = try Position(latitude: -17, longitude: -180)
    #expect(east.distance(to: west).meters == 0)
  }

  @Test(
    arguments: [
      (90.000_001, 0), (-91, 0), (.nan, 0), (.infinity, 0), (-.infinity, 0), (0, 180.000_001),
      (0, -181), (0, .nan), (0, .infinity), (0, 1e300), (0, -.infinity),
    ] as [(Double, Double)])
  func `A number that is no coordinate is refused`(latitude: Double, longitude: Double) throws {
    let error = try #require(throws: TransitError.self) {
      try Position(latitude: latitude, longitude: longitude)
    }
    #expect(error.code == .outOfRange)
    let isLatitude = longitude == 0
    let value = isLatitude ? latitude : longitude
    #expect(
      error.message
        == "The \(isLatitude ? "latitude" : "longitude") \(value) is not a number from "
        + "\(isLatitude ? "-90 to 90" : "-180 to 180").")
    #expect(error.advice != nil)
  }

  @Test(arguments: [-0.001, -.infinity, .infinity, .nan] as [Double])
  func `A number that is no length is refused`(meters: Double) throws {
    let error = try #require(throws: TransitError.self) { try Distance(meters: meters) }
    #expect(error.code == .outOfRange)
    #expect(error.message.contains("\(meters) meters"))
  }

  @Test func `Distances are compared by their length`() throws {
    #expect(try Distance(meters: 1) < Distance(meters: 2))
    #expect(try !(Distance(meters: 2) < Distance(meters: 2)))
    #expect(try Distance(meters: 0).meters == 0)
  }
}
