#if canImport(FoundationNetworking)
  import Dispatch
  import Foundation

  /// A serial queue that makes the session wait when too much is undelivered.
  ///
  /// Linux's `URLSession` reads from the network as fast as it can and puts each piece into its
  /// delegate's queue, which grows without a limit: a slow disk then fills the memory with the rest
  /// of the file. The session adds each piece through `addOperation(_:)` on the queue that reads, so
  /// waiting here stops the reading.
  ///
  /// Sendable because its properties are constant and Sendable.
  final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    /// The greatest number of undelivered calls; a piece has at most 16 KiB.
    private static let limit = 32

    private let queue = DispatchQueue(label: "holdfast.downloads.delivery")
    private let room = DispatchSemaphore(value: DeliveryQueue.limit)
    private static let mark = DispatchSpecificKey<ObjectIdentifier>()

    override init() {
      super.init()
      maxConcurrentOperationCount = 1
      queue.setSpecific(key: Self.mark, value: ObjectIdentifier(self))
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      // A call from the queue itself would wait for its own end.
      let isNested = DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(self)
      if !isNested { room.wait() }
      queue.async {
        block()
        if !isNested { self.room.signal() }
      }
    }

    override func addOperation(_ operation: Operation) {
      addOperation { operation.start() }
    }
  }
#endif
