import Testing

@testable import HoldfastTool

@Suite struct MapFrameTests {
  private static func places(_ pairs: (Double, Double)...) -> [MapFrame.Place] {
    pairs.map { MapFrame.Place(latitude: $0.0, longitude: $0.1) }
  }

  /// A city of a hundred stops, and one more.
  private static func city(and place: MapFrame.Place) -> [MapFrame.Place] {
    (0..<10).flatMap { row in
      (0..<10).map { column in
        MapFrame.Place(
          latitude: 50 + Double(row) / 100, longitude: 14 + Double(column) / 100)
      }
    } + [place]
  }

  @Test func `North is up, east is right, and the longer side has the size`() throws {
    let frame = try #require(MapFrame(Self.places((50, 14), (50.1, 14.4)), size: 800))
    #expect(frame.width == 800)
    #expect(frame.point(.init(latitude: 50.1, longitude: 14)) == MapFrame.Point(x: 0, y: 0))
    let corner = frame.point(.init(latitude: 50, longitude: 14.4))
    #expect(corner?.x == 8000 && corner.map { abs($0.y - frame.height * 10) <= 5 } == true)
  }

  /// At 60° a degree of longitude is half as long as one of latitude.
  @Test func `The picture has the shape that the network has on the earth`() throws {
    let frame = try #require(MapFrame(Self.places((60, 10), (60.1, 10.2)), size: 1000))
    #expect(abs(frame.width - frame.height) <= 5)
    // 11.1 kilometers on 1000 pixels.
    #expect((11.0...11.2).contains(frame.metersPerPixel))
  }

  @Test func `A path may leave the map, and returns`() throws {
    let frame = try #require(MapFrame(Self.places((-16, 179.9), (-16.1, -179.9)), size: 500))
    let path = Self.places((-16, 179.9), (-16, 179.7), (-16, 179.5), (-16, -179.5), (-16, -179.9))
    #expect(frame.path(path).map { $0?.x } == [0, -5000, nil, 15000, 5000])
    // The map grows by what is near.
    let wider = frame.including([path, Self.places((-16, 179.88))], size: 500)
    #expect(wider.path(Self.places((-16, 179.88), (-16, -179.9))).map { $0?.x } == [0, 5000])
    #expect(wider.metersPerPixel > frame.metersPerPixel && wider.height < frame.height)
  }

  @Test func `A network on both sides of the antimeridian is not torn apart`() throws {
    let frame = try #require(
      MapFrame(Self.places((-16, 179.9), (-16.1, -179.9), (-16.05, 180), (-16.02, -180)), size: 500)
    )
    let points = [179.9, 180, -180, -179.9].map {
      frame.point(.init(latitude: -16, longitude: $0))?.x
    }
    #expect(points == [0, 2500, 2500, 5000])
  }

  @Test(arguments: [(0.0, 0.0), (50, 60), (-33, 14)])
  func `A stop far from all others does not shrink the map`(latitude: Double, longitude: Double)
    throws
  {
    let far = MapFrame.Place(latitude: latitude, longitude: longitude)
    let frame = try #require(MapFrame(Self.city(and: far), size: 500))
    let alone = try #require(
      MapFrame(Self.city(and: .init(latitude: 50, longitude: 14)), size: 500))
    #expect(frame.point(far) == nil)
    #expect(frame.outlierCount == 1)
    #expect((frame.width, frame.height) == (alone.width, alone.height))
  }

  @Test func `A suburb stays on the map, and so does a network at 0° north, 0° east`() throws {
    let suburb = MapFrame.Place(latitude: 50.15, longitude: 14.12)
    #expect(try #require(MapFrame(Self.city(and: suburb), size: 500)).point(suburb) != nil)
    let frame = try #require(MapFrame(Self.places((0, 0), (0.5, 0.5)), size: 500))
    #expect(frame.point(.init(latitude: 0, longitude: 0)) != nil)
  }

  @Test func `One stop, and stops outside of the earth, have a map or none`() throws {
    let frame = try #require(MapFrame(Self.places((50, 14)), size: 300))
    #expect((frame.width, frame.height) == (300, 300))
    #expect(MapFrame([], size: 300) == nil)
    #expect(MapFrame(Self.places((999, 0), (0, .infinity), (.nan, 5)), size: 300) == nil)
    #expect(MapFrame(Self.places((90, 0), (-90, 180)), size: 300) != nil)
  }
}
