import Testing

@testable import HoldfastDownloads

/// Every combination of a journal entry and the files that a killed process can leave.
struct CompletionPlanTests {
  private static let parts: [CompletionPlan.Part] = [.absent, .present, .unknown]
  private static let destinations: [CompletionPlan.Destination] = [
    .absent, .same, .other, .unknown,
  ]

  @Test func anIncompletePartIsKept() {
    for destination in Self.destinations {
      #expect(CompletionPlan(.receiving, part: .present, destination: destination) == .keepPart)
      #expect(CompletionPlan(.receiving, part: .absent, destination: destination) == .forget)
      #expect(CompletionPlan(.receiving, part: .unknown, destination: destination) == .postpone)
    }
  }

  @Test(arguments: [false, true])
  func aVerifiedPartIsPublished(_ replaces: Bool) {
    let phase = CompletionPlan.Phase.verified(replaces: replaces)
    #expect(CompletionPlan(phase, part: .present, destination: .absent) == .publish)
    #expect(CompletionPlan(phase, part: .present, destination: .same) == .adopt)
    #expect(
      CompletionPlan(phase, part: .present, destination: .other)
        == (replaces ? .publish : .occupied))
    #expect(CompletionPlan(phase, part: .absent, destination: .same) == .record)
    #expect(CompletionPlan(phase, part: .absent, destination: .absent) == .forget)
    #expect(CompletionPlan(phase, part: .absent, destination: .other) == .forget)
  }

  @Test(arguments: [false, true])
  func whatCannotBeSeenIsLeftAlone(_ replaces: Bool) {
    let phase = CompletionPlan.Phase.verified(replaces: replaces)
    for destination in Self.destinations {
      #expect(CompletionPlan(phase, part: .unknown, destination: destination) == .postpone)
    }
    for part in Self.parts {
      #expect(CompletionPlan(phase, part: part, destination: .unknown) == .postpone)
    }
  }
}
