/// Who holds which connection and who waits for one: a pure state machine.
///
/// It knows two lanes, one for the writer and one for the readers. In each lane those who wait are
/// served in the order in which they came. What it answers is done by its owner after the lock is
/// released.
///
/// A barrier is a writer who wants the readers gone. It waits in the writers' line; when its turn
/// has come no reader is let in any more, and it goes on when the last one left. The readers who
/// came meanwhile go before the next barrier, so that barriers in a row do not starve them.
///
/// The slot numbers are positions in the owner's array: 0 is the writer, the others are readers.
/// A machine without readers has one lane: whoever reads takes the writer's slot.
package struct PoolState<Waiter: Equatable> {
  /// What an access wants to do.
  package enum Purpose: Sendable { case write, read, barrier }

  /// The answer to one who wants a slot.
  package enum Admission: Equatable, Sendable {
    /// The slot is theirs.
    case granted(slot: Int)
    /// The pool is closed.
    case refused
  }

  /// A slot that is somebody's who waited.
  package struct Grant: Equatable {
    package let slot: Int
    package let waiter: Waiter

    package init(slot: Int, waiter: Waiter) {
      self.slot = slot
      self.waiter = waiter
    }
  }

  /// What becomes of a slot that was given back.
  package enum Return: Equatable {
    /// It is for the one who waited longest.
    case handedOver(slot: Int, to: Waiter)
    /// Nobody goes on because of it.
    case free
    /// A barrier is over, and so many go on.
    case opened([Grant])
    /// The pool is closed, and one slot less is missing.
    case closing
  }

  private struct Lane {
    var free: [Int]
    var line: [Place] = []
  }

  private struct Place {
    var waiter: Waiter
    var isBarrier = false
  }

  private enum Barrier {
    case none
    /// The writer's slot is kept for the waiter until the last reader has left.
    case gathering(Waiter)
    /// Who holds the writer's slot is alone.
    case held
  }

  private var writers: Lane
  private var readers: Lane
  private let readerCount: Int
  private var barrier = Barrier.none
  /// Whether nobody gets a slot any more.
  package private(set) var isClosed = false

  /// Creates a state in which every slot is free.
  ///
  /// - Parameter readerCount: The number of readers, 0 or more.
  package init(readerCount: Int) {
    writers = Lane(free: [0])
    // The slot given back last is given out first, because its cache is warm. So the lowest of
    // those never used comes first.
    readers = Lane(free: Array((1..<1 + readerCount).reversed()))
    self.readerCount = readerCount
  }

  private func usesReaders(_ purpose: Purpose) -> Bool {
    purpose == .read && readerCount > 0
  }

  private var hasNoReader: Bool { readers.free.count == readerCount }

  /// Gives a slot to the caller, if one is free and nobody stands in line before.
  ///
  /// - Returns: `nil` when the caller must ``wait(_:for:)``.
  package mutating func take(for purpose: Purpose) -> Admission? {
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

  /// Gives a slot to the waiter, or puts it at the end of its queue.
  ///
  /// - Returns: `nil` when the waiter is in the queue.
  package mutating func wait(_ waiter: Waiter, for purpose: Purpose) -> Admission? {
    if let admission = take(for: purpose) { return admission }
    if usesReaders(purpose) {
      readers.line.append(Place(waiter: waiter))
    } else if purpose == .barrier, writers.free.popLast() != nil {
      barrier = .gathering(waiter)
    } else {
      writers.line.append(Place(waiter: waiter, isBarrier: purpose == .barrier))
    }
    return nil
  }

  /// How many stand in line, for the writer's slot and the readers'.
  package var waitingCount: Int {
    let gathering = if case .gathering = barrier { 1 } else { 0 }
    return gathering + writers.line.count + readers.line.count
  }

  /// Whether a barrier has its slot.
  package var isBarrierHeld: Bool {
    if case .held = barrier { true } else { false }
  }

  /// Takes a waiter out of the line.
  ///
  /// - Returns: Those who go on because it left, mostly none; `nil` when it did not stand there,
  ///   because it has its slot already.
  package mutating func leave(_ waiter: Waiter) -> [Grant]? {
    if case .gathering(waiter) = barrier { return open() }
    if let index = writers.line.firstIndex(where: { $0.waiter == waiter }) {
      writers.line.remove(at: index)
      return []
    }
    if let index = readers.line.firstIndex(where: { $0.waiter == waiter }) {
      readers.line.remove(at: index)
      return []
    }
    return nil
  }

  /// Takes a slot back from whoever held it.
  ///
  /// - Precondition: Somebody holds the slot.
  package mutating func giveBack(slot: Int) -> Return {
    precondition((0...readerCount).contains(slot), "There is no slot \(slot).")
    return slot == 0 ? giveBackWriter() : giveBackReader(slot)
  }

  private mutating func giveBackWriter() -> Return {
    precondition(isWriterHeld, "Slot 0 is given back, but nobody holds it.")
    guard !isClosed else {
      barrier = .none
      writers.free.append(0)
      return .closing
    }
    guard case .none = barrier else { return .opened(open()) }
    return nextWriter().map { .handedOver(slot: 0, to: $0) } ?? .free
  }

  private var isWriterHeld: Bool {
    if case .gathering = barrier { return false }
    return writers.free.isEmpty
  }

  private mutating func giveBackReader(_ slot: Int) -> Return {
    precondition(
      !readers.free.contains(slot), "Slot \(slot) is given back, but nobody holds it.")
    if case .none = barrier, !readers.line.isEmpty {
      return .handedOver(slot: slot, to: readers.line.removeFirst().waiter)
    }
    readers.free.append(slot)
    guard !isClosed else { return .closing }
    if case .gathering(let waiter) = barrier, hasNoReader {
      barrier = .held
      return .handedOver(slot: 0, to: waiter)
    }
    return .free
  }

  /// Ends a barrier: lets readers in, and then the next writer.
  private mutating func open() -> [Grant] {
    barrier = .none
    var grants: [Grant] = []
    while !readers.line.isEmpty, let slot = readers.free.popLast() {
      grants.append(Grant(slot: slot, waiter: readers.line.removeFirst().waiter))
    }
    if let waiter = nextWriter() { grants.append(Grant(slot: 0, waiter: waiter)) }
    return grants
  }

  /// Gives the writer's slot, which nobody holds, to the first in line.
  ///
  /// - Returns: `nil` when there is nobody, or when it is a barrier that must wait for readers.
  private mutating func nextWriter() -> Waiter? {
    guard !writers.line.isEmpty else {
      writers.free.append(0)
      return nil
    }
    let place = writers.line.removeFirst()
    if place.isBarrier {
      guard hasNoReader else {
        barrier = .gathering(place.waiter)
        return nil
      }
      barrier = .held
    }
    return place.waiter
  }

  /// Takes all who wait out of the line; who holds a slot keeps it.
  ///
  /// - Returns: Those who waited.
  package mutating func failWaiters() -> [Waiter] {
    var dismissed: [Waiter] = []
    if case .gathering(let waiter) = barrier {
      dismissed.append(waiter)
      barrier = .none
      writers.free.append(0)
    }
    dismissed += writers.line.map(\.waiter) + readers.line.map(\.waiter)
    writers.line = []
    readers.line = []
    return dismissed
  }

  /// Refuses all who come and all who wait; who holds a slot keeps it until it is given back.
  ///
  /// - Returns: The number of slots that are held, each of which comes back as ``Return/closing``,
  ///   and those who waited.
  package mutating func close() -> (heldCount: Int, refused: [Waiter]) {
    guard !isClosed else { return (0, []) }
    isClosed = true
    let refused = failWaiters()
    return (1 + readerCount - writers.free.count - readers.free.count, refused)
  }
}
