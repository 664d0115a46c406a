import Testing

@testable import HoldfastDownloads

struct DownloadQueueStateTests {
  private func key(_ id: String) -> DownloadKey { DownloadKey(id: id) }

  @Test func downloadsBeginInTheirOrderUpToTheLimit() {
    var queue = DownloadQueueState(limit: 2, hostLimit: 2)
    #expect(queue.enqueue(key("1"), host: "a", priority: .normal) == [key("1")])
    #expect(queue.enqueue(key("2"), host: "a", priority: .normal) == [key("2")])
    #expect(queue.enqueue(key("3"), host: "a", priority: .normal) == [])
    #expect(queue.enqueue(key("4"), host: "a", priority: .normal) == [])
    #expect(queue.leave(key("1")) == [key("3")])
    #expect(queue.leave(key("3")) == [key("4")])
    #expect(queue.leave(key("2")) == [])
  }

  @Test func aHigherPriorityIsFirst() {
    var queue = DownloadQueueState(limit: 1, hostLimit: 1)
    _ = queue.enqueue(key("running"), host: "a", priority: .low)
    for (id, priority) in [
      ("low", DownloadPriority.low), ("n1", .normal), ("high", .high), ("n2", .normal),
    ] {
      #expect(queue.enqueue(key(id), host: "a", priority: priority) == [])
    }
    var order: [DownloadKey] = []
    var last = key("running")
    while let next = queue.leave(last).first {
      order.append(next)
      last = next
    }
    #expect(order == ["high", "n1", "n2", "low"].map(key))
  }

  @Test func aBusyHostDoesNotHoldUpOthers() {
    var queue = DownloadQueueState(limit: 3, hostLimit: 1)
    _ = queue.enqueue(key("a1"), host: "a", priority: .high)
    #expect(queue.enqueue(key("a2"), host: "a", priority: .high) == [])
    #expect(queue.enqueue(key("b1"), host: "b", priority: .low) == [key("b1")])
    #expect(queue.leave(key("a1")) == [key("a2")])
  }

  @Test func aDownloadIsInTheQueueOnce() {
    var queue = DownloadQueueState(limit: 1, hostLimit: 1)
    #expect(queue.enqueue(key("1"), host: "a", priority: .normal) == [key("1")])
    #expect(queue.enqueue(key("1"), host: "a", priority: .normal) == [])
    #expect(queue.leave(key("1")) == [])
    #expect(queue.runningCount == 0)
    #expect(queue.waitingCount == 0)
  }

  @Test func oneThatLeavesWhileItWaitsBeginsNoOther() {
    var queue = DownloadQueueState(limit: 1, hostLimit: 1)
    _ = queue.enqueue(key("1"), host: "a", priority: .normal)
    _ = queue.enqueue(key("2"), host: "a", priority: .normal)
    #expect(queue.leave(key("2")) == [])
    #expect(queue.leave(key("1")) == [])
  }

  @Test func idsAreComparedByTheirBytes() {
    #expect(key("\u{e9}") != key("e\u{301}"))
    #expect(key("../x").description.utf8.count == 32)
  }
}
