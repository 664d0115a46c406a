import Testing

@testable import HoldfastPacks

@Suite struct PackErrorTests {
  @Test func `A description is the message and the advice`() throws {
    let error = try #require(throws: PackError.self) { try PackName("") }
    #expect(error.advice != nil)
    #expect("\(error)" == "\(error.message) \(error.advice ?? "")")
  }
}
