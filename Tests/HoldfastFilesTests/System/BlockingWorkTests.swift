import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BlockingWorkTests {
  @Test func `The work has the fault of its task, returns its value and throws its error`()
    async throws
  {
    let fault = SystemFault(atCall: .max, .fail(.noSpace))
    let isPassedOn = try await SystemCalls.$fault.withValue(fault) {
      try await BlockingWork.utility.run { SystemCalls.fault === fault }
    }
    #expect(isPassedOn)
    #expect(try await BlockingWork.userInitiated.run { SystemCalls.fault == nil })
    let error = await #expect(throws: Errno.self) {
      try await BlockingWork.utility.run { throw Errno.noSpace }
    }
    #expect(error == .noSpace)
  }

  @Test func `A cancellation of the task reaches the work`() async throws {
    let (began, continuation) = AsyncStream<Void>.makeStream()
    let isCancelled = Gate()
    let task = Task {
      try await BlockingWork.utility.run { isWorkCancelled in
        let before = isWorkCancelled()
        continuation.finish()
        isCancelled.wait()
        return [before, isWorkCancelled()]
      }
    }
    for await _ in began {}
    task.cancel()
    isCancelled.open()
    #expect(try await task.value == [false, true])
  }
}
