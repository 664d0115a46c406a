import Testing

@testable import Holdfast

@Suite struct FollowingStateTests {
  @Test func `A generation is opened when it is not the one that is open`() {
    var state = FollowingState()
    #expect(state.opens("1", at: .zero))
    state.didOpen("1")
    #expect(!state.opens("1", at: .zero))
    #expect(state.isOpen("1"))
    #expect(state.opens("2", at: .zero))
    #expect(!state.isOpen("2"))
  }

  @Test func `A refused generation is tried again after a pause, another one at once`() {
    var state = FollowingState()
    state.didOpen("1")
    state.didRefuse("2", at: .seconds(10))
    #expect(!state.opens("2", at: .seconds(10)))
    #expect(!state.opens("2", at: .seconds(10.999)))
    #expect(state.opens("2", at: .seconds(11)))
    #expect(state.opens("3", at: .seconds(10)))
    // The one that is open needs no opening.
    #expect(!state.opens("1", at: .seconds(20)))
    state.didOpen("3")
    #expect(state.opens("2", at: .seconds(10)))
  }

  @Test func `Names are compared by bytes`() {
    var state = FollowingState()
    state.didOpen("caf\u{E9}")
    #expect(state.opens("cafe\u{301}", at: .zero))
  }
}
