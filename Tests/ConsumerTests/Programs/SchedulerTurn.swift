import Testing

/// Keeps tests apart whose databases follow the scheduler of the process, which suspends and resumes
/// all of them.
struct SchedulerTurn: TestTrait, SuiteTrait, TestScoping {
  private actor Turn {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      guard isTaken else { return isTaken = true }
      await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack() {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
  }

  private static let turn = Turn()

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.turn.take()
    do {
      try await function()
    } catch {
      await Self.turn.giveBack()
      throw error
    }
    await Self.turn.giveBack()
  }
}

extension Trait where Self == SchedulerTurn {
  /// One after the other with all tests whose databases follow the scheduler.
  static var schedulerTurn: SchedulerTurn { SchedulerTurn() }
}
