import Testing

@testable import HoldfastPacks

@Suite struct PackErrorTests {
  @Test func `A description is the message and the advice`() {
    let error = PackError(code: .invalidManifest, message: "A.", advice: "B.")
    #expect("\(error)" == "A. B.")
  }
}
