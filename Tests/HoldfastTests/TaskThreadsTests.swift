import Dispatch
import Testing

@testable import Holdfast

@Suite struct TaskThreadsTests {
  @Test func noMoreAreLentThanTheLimit() {
    let threads = TaskThreads(limit: 2)
    #expect(threads.borrow() != nil)
    #expect(threads.borrow() != nil)
    #expect(threads.borrow() == nil)
    #expect(threads.borrow() == nil)
    threads.giveBack()
    #expect(threads.borrow() != nil)
    #expect(threads.borrow() == nil)
  }

  @Test func theOnlyThreadIsNotLent() {
    let threads = TaskThreads(limit: 1 / 2)
    #expect(threads.borrow() == nil)
  }

  @Test(arguments: [
    (TaskPriority.high, DispatchQoS.QoSClass.userInitiated), (.medium, .default),
    (.low, .utility), (.background, .background),
  ])
  func theyAreThoseOfTheTasksPriority(
    priority: TaskPriority, quality: DispatchQoS.QoSClass
  ) async {
    // Not awaited as a task, which would give it the priority of the test.
    let lent = await withCheckedContinuation { continuation in
      Task.detached(priority: priority) {
        let queue = TaskThreads(limit: 1).borrow()
        continuation.resume(returning: queue?.label == DispatchQueue.global(qos: quality).label)
      }
    }
    #expect(lent)
  }

  @Test func noneIsBorrowedWhereTheConfigurationSaysWhereToRun() throws {
    let queue = try DatabaseQueue()
    #expect(queue.pool.slots[0].mayBorrow)
    var configuration = Configuration()
    configuration.qos = .background
    #expect(try DatabaseQueue(configuration: configuration).pool.slots[0].mayBorrow == false)
    configuration = Configuration()
    configuration.targetQueue = DispatchQueue(label: "target")
    #expect(try DatabaseQueue(configuration: configuration).pool.slots[0].mayBorrow == false)
  }
}
