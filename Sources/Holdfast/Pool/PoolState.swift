/// The state of a pool's slots and of their wait queues: a pure state machine.
///
/// There are two lanes, one for the writer and one for the readers. Each lane serves its waiters
/// first in, first out. The owner carries out what a transition returns after it has released its
/// lock.
///
/// A barrier is a writer that excludes readers. It waits in the writers' queue; when its turn has
/// come, no further reader is admitted, and it proceeds when the last reader has left. Readers that
/// arrived meanwhile are served before the next barrier, so that consecutive barriers do not starve
/// them.
///
/// A thread may hold a slot while it waits for one of the other lane: a write inside of a read, or
/// a read inside of a write. Its request is refused if it would never be granted although every
/// access that does not wait ends. Only such a request can complete a cycle. Cancellation, closing
/// and suspension, which would end the wait too, do not count.
///
/// Slot numbers are positions in the owner's array: 0 is the writer, the others are readers.
/// Without readers there is one lane: reads use the writer's slot.
package struct PoolState<Waiter: Equatable> {
  /// The purpose of an access.
  package enum Purpose: Sendable { case write, read, barrier }

  /// The answer to a request for a slot.
  package enum Admission: Equatable, Sendable {
    /// The caller holds the slot.
    case granted(slot: Int)
    /// The pool is closed.
    case refused
    /// The caller's thread would wait for the slots that it holds itself.
    case deadlock(Deadlock)
  }

  /// The cycle that a request would complete.
  package enum Deadlock: Sendable {
    /// A read waits for the barrier around it.
    case insideBarrier
    /// A write waits for a barrier, which waits for the read around the write.
    case barrier
    /// The threads that hold the readers wait to write, and the one that holds the writer to read.
    case readersAndWriter
  }

  /// The lanes of which a waiter's thread holds a slot, until the access that it waits for ends.
  package struct Held: OptionSet, Sendable {
    package static var writer: Held { Held(rawValue: 1) }
    package static var reader: Held { Held(rawValue: 2) }
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// A slot and the waiter that now holds it.
  package struct Grant: Equatable {
    package let slot: Int
    package let waiter: Waiter

    package init(slot: Int, waiter: Waiter) {
      self.slot = slot
      self.waiter = waiter
    }
  }

  /// The result of releasing a slot.
  package enum ReleaseResult: Equatable {
    /// The first waiter of the queue now holds the slot.
    case granted(slot: Int, to: Waiter)
    /// No waiter proceeds.
    case free
    /// A barrier has ended, and these waiters proceed.
    case barrierEnded([Grant])
    /// The pool is closed, and one fewer slot is held.
    case closing
  }

  private struct Lane {
    var free: [Int]
    var queue: [QueuedWaiter] = []
  }

  private struct QueuedWaiter {
    var waiter: Waiter
    var isBarrier = false
    var held: Held
  }

  private enum Barrier {
    case none
    /// The writer's slot is reserved for the waiter until the last reader has left.
    case gathering(Waiter)
    /// The holder of the writer's slot is alone.
    case held
  }

  private var writers: Lane
  private var readers: Lane
  private let readerCount: Int
  private var barrier = Barrier.none
  /// Whether every request for a slot is refused.
  package private(set) var isClosed = false

  /// Creates a state in which every slot is free.
  ///
  /// - Parameter readerCount: The number of readers, 0 or more.
  package init(readerCount: Int) {
    writers = Lane(free: [0])
    // The slot that was released last is granted first, because its cache is warm; among slots that
    // were never used, the one with the lowest number.
    readers = Lane(free: Array((1..<1 + readerCount).reversed()))
    self.readerCount = readerCount
  }

  private func usesReaders(_ purpose: Purpose) -> Bool {
    purpose == .read && readerCount > 0
  }

  private var hasNoReader: Bool { readers.free.count == readerCount }

  /// Acquires a slot if one is free and no barrier excludes the caller.
  ///
  /// - Returns: The answer; `nil` if the caller must ``wait(_:for:)``.
  package mutating func acquire(for purpose: Purpose) -> Admission? {
    guard !isClosed else { return .refused }
    if usesReaders(purpose) {
      guard case .none = barrier else { return nil }
      return readers.free.popLast().map { .granted(slot: $0) }
    }
    if purpose == .barrier {
      guard hasNoReader else { return nil }
    }
    guard let slot = writers.free.popLast() else { return nil }
    if purpose == .barrier { barrier = .held }
    return .granted(slot: slot)
  }

  /// Grants the waiter a slot, or appends the waiter to its queue.
  ///
  /// - Parameters:
  ///   - waiter: The waiter.
  ///   - purpose: The purpose of its access.
  ///   - held: The connections that its thread holds.
  /// - Returns: The answer; `nil` if the waiter is in the queue.
  package mutating func wait(
    _ waiter: Waiter, for purpose: Purpose, holding held: Held = []
  ) -> Admission? {
    if let admission = acquire(for: purpose) { return admission }
    if let deadlock = deadlock(for: purpose, holding: held) { return .deadlock(deadlock) }
    if usesReaders(purpose) {
      readers.queue.append(QueuedWaiter(waiter: waiter, held: held))
    } else if purpose == .barrier, writers.free.popLast() != nil {
      barrier = .gathering(waiter)
    } else {
      writers.queue.append(
        QueuedWaiter(waiter: waiter, isBarrier: purpose == .barrier, held: held))
    }
    return nil
  }

  /// Returns the cycle that a request completes which has to wait; `nil` if its wait would end.
  private func deadlock(for purpose: Purpose, holding held: Held) -> Deadlock? {
    guard !held.isEmpty else { return nil }
    if held.contains(.writer), isBarrierHeld { return .insideBarrier }
    // The queue is first in, first out: a barrier in it is ahead, and waits for all readers.
    if held.contains(.reader), purpose != .read, isBarrierWaiting { return .barrier }
    // One reader that is not held by a waiter becomes free, and serves the readers' queue until the
    // thread that holds the writer has read. Then the writer serves its own queue.
    let waiting = writers.queue.map(\.held) + readers.queue.map(\.held) + [held]
    let isWriterStuck = waiting.contains { $0.contains(.writer) }
    let stuckReaderCount = waiting.count { $0.contains(.reader) }
    return isWriterStuck && stuckReaderCount == readerCount ? .readersAndWriter : nil
  }

  /// The number of waiters in both queues.
  package var waitingCount: Int {
    let gathering = if case .gathering = barrier { 1 } else { 0 }
    return gathering + writers.queue.count + readers.queue.count
  }

  /// Whether a barrier waits, for the readers or for its turn.
  private var isBarrierWaiting: Bool {
    if case .gathering = barrier { true } else { writers.queue.contains(where: \.isBarrier) }
  }

  /// Whether a barrier holds the writer's slot.
  package var isBarrierHeld: Bool {
    if case .held = barrier { true } else { false }
  }

  /// Removes a waiter from its queue.
  ///
  /// - Returns: The waiters that proceed because it left, usually none; `nil` if it was not in a
  ///   queue, because it has been granted its slot.
  package mutating func leave(_ waiter: Waiter) -> [Grant]? {
    if case .gathering(waiter) = barrier { return endBarrier() }
    if let index = writers.queue.firstIndex(where: { $0.waiter == waiter }) {
      writers.queue.remove(at: index)
      return []
    }
    if let index = readers.queue.firstIndex(where: { $0.waiter == waiter }) {
      readers.queue.remove(at: index)
      return []
    }
    return nil
  }

  /// Releases a slot.
  ///
  /// - Precondition: The slot is held.
  package mutating func release(slot: Int) -> ReleaseResult {
    precondition((0...readerCount).contains(slot), "There is no slot \(slot).")
    return slot == 0 ? releaseWriter() : releaseReader(slot)
  }

  private mutating func releaseWriter() -> ReleaseResult {
    precondition(isWriterHeld, "Slot 0 is released, but is not held.")
    guard !isClosed else {
      barrier = .none
      writers.free.append(0)
      return .closing
    }
    guard case .none = barrier else { return .barrierEnded(endBarrier()) }
    return nextWriter().map { .granted(slot: 0, to: $0) } ?? .free
  }

  private var isWriterHeld: Bool {
    if case .gathering = barrier { return false }
    return writers.free.isEmpty
  }

  private mutating func releaseReader(_ slot: Int) -> ReleaseResult {
    precondition(
      !readers.free.contains(slot), "Slot \(slot) is released, but is not held.")
    if case .none = barrier, !readers.queue.isEmpty {
      return .granted(slot: slot, to: readers.queue.removeFirst().waiter)
    }
    readers.free.append(slot)
    guard !isClosed else { return .closing }
    if case .gathering(let waiter) = barrier, hasNoReader {
      barrier = .held
      return .granted(slot: 0, to: waiter)
    }
    return .free
  }

  /// Ends a barrier: grants slots to waiting readers, and then to the next writer.
  private mutating func endBarrier() -> [Grant] {
    barrier = .none
    var grants: [Grant] = []
    while !readers.queue.isEmpty, let slot = readers.free.popLast() {
      grants.append(Grant(slot: slot, waiter: readers.queue.removeFirst().waiter))
    }
    if let waiter = nextWriter() { grants.append(Grant(slot: 0, waiter: waiter)) }
    return grants
  }

  /// Takes the next writer from the queue to grant it the writer's slot, which is not held.
  ///
  /// - Returns: The waiter; `nil` if the queue is empty, or if the next writer is a barrier that
  ///   must wait for readers.
  private mutating func nextWriter() -> Waiter? {
    guard !writers.queue.isEmpty else {
      writers.free.append(0)
      return nil
    }
    let next = writers.queue.removeFirst()
    if next.isBarrier {
      guard hasNoReader else {
        barrier = .gathering(next.waiter)
        return nil
      }
      barrier = .held
    }
    return next.waiter
  }

  /// Removes all waiters from the queues; slots that are held stay held.
  ///
  /// - Returns: The removed waiters, each of which is to fail.
  package mutating func failWaiters() -> [Waiter] {
    var dismissed: [Waiter] = []
    if case .gathering(let waiter) = barrier {
      dismissed.append(waiter)
      barrier = .none
      writers.free.append(0)
    }
    dismissed += writers.queue.map(\.waiter) + readers.queue.map(\.waiter)
    writers.queue = []
    readers.queue = []
    return dismissed
  }

  /// Refuses all waiters and all later requests; slots that are held stay held until released.
  ///
  /// - Returns: The number of slots that are held, for each of which ``ReleaseResult/closing``
  ///   follows, and the refused waiters.
  package mutating func close() -> (heldCount: Int, refused: [Waiter]) {
    guard !isClosed else { return (0, []) }
    isClosed = true
    let refused = failWaiters()
    return (1 + readerCount - writers.free.count - readers.free.count, refused)
  }
}
