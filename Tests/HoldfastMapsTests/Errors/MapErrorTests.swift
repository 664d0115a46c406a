import HoldfastMaps
import Testing

@Suite struct MapErrorTests {
  @Test func `A description is the message and the advice`() throws {
    let error = try #require(throws: MapError.self) { try TileCoordinate(z: 1, x: 2, y: 0) }
    #expect(error.message == "There is no tile z=1, x=2, y=0.")
    let advice = try #require(error.advice)
    #expect("\(error)" == "\(error.message) \(advice)")
    #expect("\(error.code)" == "invalidCoordinate")
  }
}
