#if canImport(FoundationNetworking)
  import Foundation
  import HoldfastTestSupport
  import Testing

  @testable import HoldfastDownloads

  struct DeliveryQueueTests {
    @Test func aSessionThatIsFasterThanTheDiskWaits() async throws {
      let queue = DeliveryQueue()
      let gate = Gate()
      let delivered = Journal<Int>()
      let added = Journal<Int>()
      let session = OwnThread {
        for number in 1...500 {
          queue.addOperation {
            gate.wait()
            delivered.append(number)
          }
          added.append(number)
        }
      }
      await until { added.entries.count >= 32 }
      // It is blocked now, or will be at the next one: one more could be on its way, no more.
      #expect(delivered.entries.isEmpty)
      #expect(added.entries.count == 32)
      gate.open()
      try await session.value
      await until { delivered.entries.count == 500 }
      #expect(delivered.entries == Array(1...500))
    }

    @Test func aCallFromADeliveryDoesNotWait() async throws {
      let queue = DeliveryQueue()
      let isDone = Gate()
      queue.addOperation {
        for _ in 1...500 { queue.addOperation {} }
        queue.addOperation(BlockOperation { isDone.open() })
      }
      try await onOwnThread { isDone.wait() }
    }
  }
#endif
