import HoldfastMaps
import Testing

@Suite struct MapErrorTests {
  @Test func `A description is the message and the advice`() {
    let error = MapError(code: .invalidTileset, message: "A.", advice: "B.")
    #expect("\(error)" == "A. B.")
  }
}
