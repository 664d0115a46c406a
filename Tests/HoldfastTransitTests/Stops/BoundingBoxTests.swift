import HoldfastTransit
import Testing

@Suite struct BoundingBoxTests {
  private func position(_ latitude: Double, _ longitude: Double) throws -> Position {
    try Position(latitude: latitude, longitude: longitude)
  }

  @Test func `The edges belong to an area`() throws {
    let area = try BoundingBox(south: -34, west: 151, north: -33, east: 152)
    for (latitude, longitude) in [(-34.0, 151.0), (-33, 152), (-34, 152), (-33.5, 151.5)] {
      #expect(area.contains(try position(latitude, longitude)))
    }
    for (latitude, longitude) in [
      (-34.001, 151.5), (-32.999, 151.5), (-33.5, 150.999), (-33.5, 152.001),
    ] {
      #expect(!area.contains(try position(latitude, longitude)))
    }
  }

  @Test func `An area contains the antimeridian when its western edge has the greater longitude`()
    throws
  {
    let fiji = try BoundingBox(south: -20, west: 177, north: -16, east: -178)
    for longitude in [177, 179.9, 180, -180, -179, -178] as [Double] {
      #expect(fiji.contains(try position(-17, longitude)), "\(longitude)")
    }
    for longitude in [176.9, -177.9, 0] as [Double] {
      #expect(!fiji.contains(try position(-17, longitude)), "\(longitude)")
    }
  }

  @Test func `The outermost meridian belongs to areas on both sides`() throws {
    let east = try BoundingBox(south: -20, west: 170, north: -16, east: 180)
    let west = try BoundingBox(south: -20, west: -180, north: -16, east: -170)
    for area in [east, west] {
      #expect(area.contains(try position(-17, 180)))
      #expect(area.contains(try position(-17, -180)))
    }
    #expect(!east.contains(try position(-17, -179)))
  }

  @Test func `A pole is on every meridian`() throws {
    let arctic = try BoundingBox(south: 80, west: 10, north: 90, east: 20)
    #expect(arctic.contains(try position(90, -100)))
    #expect(!arctic.contains(try position(89, -100)))
  }

  @Test func `An area around a position ends at the poles and crosses the antimeridian`() throws {
    let fiji = try BoundingBox(center: position(-17, 179), latitudeDelta: 2, longitudeDelta: 4)
    #expect(
      fiji == (try BoundingBox(south: -18, west: 177, north: -16, east: -179)))
    let samoa = try BoundingBox(center: position(-14, -179), latitudeDelta: 2, longitudeDelta: 4)
    #expect(samoa.west == 179 && samoa.east == -177)
    let pole = try BoundingBox(center: position(89, 0), latitudeDelta: 4, longitudeDelta: 720)
    #expect(pole == (try BoundingBox(south: 87, west: -180, north: 90, east: 180)))
  }

  @Test(
    arguments: [
      (-91, 0, 0, 1), (0, 0, 90.1, 1), (0, -181, 1, 1), (0, 0, 1, 181), (.nan, 0, 1, 1),
      (0, .nan, 1, 1), (0, 0, .nan, 1), (0, 0, 1, .nan), (-.infinity, 0, 1, 1),
      (0, 0, .infinity, 1),
      (0, -.infinity, 1, 1), (0, 0, 1, .infinity), (2, 0, 1, 1),
    ] as [(Double, Double, Double, Double)])
  func `Edges that make no area are refused`(
    south: Double, west: Double, north: Double, east: Double
  ) throws {
    let error = try #require(throws: TransitError.self) {
      try BoundingBox(south: south, west: west, north: north, east: east)
    }
    #expect(error.code == .outOfRange)
    #expect(error.advice != nil)
  }

  @Test(arguments: [-1, .nan, .infinity] as [Double])
  func `A span that is no number is refused`(delta: Double) throws {
    let center = try position(0, 0)
    for (height, width) in [(delta, 1), (1, delta)] {
      let error = try #require(throws: TransitError.self) {
        try BoundingBox(center: center, latitudeDelta: height, longitudeDelta: width)
      }
      #expect(error.code == .outOfRange)
    }
  }
}
