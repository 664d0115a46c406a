import Testing

/// Serializes tests whose databases follow the scheduler of the process, which suspends and resumes
/// all of them.
struct SchedulerTurn: TestTrait, SuiteTrait, TestScoping {
  private actor Turn {
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func acquire() async {
      guard isHeld else { return isHeld = true }
      await withCheckedContinuation { waiting.append($0) }
    }

    func release() {
      if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
  }

  private static let turn = Turn()

  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.turn.acquire()
    do {
      try await function()
    } catch {
      await Self.turn.release()
      throw error
    }
    await Self.turn.release()
  }
}

extension Trait where Self == SchedulerTurn {
  /// One after the other with all tests whose databases follow the scheduler.
  static var schedulerTurn: SchedulerTurn { SchedulerTurn() }
}
