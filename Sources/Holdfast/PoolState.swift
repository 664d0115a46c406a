/// Who holds which connection and who waits for one: a pure state machine.
///
/// It knows two lanes, one for the writer and one for the readers. In each lane those who wait are
/// served in the order in which they came. What it answers is done by its owner after the lock is
/// released.
///
/// The slot numbers are positions in the owner's array: 0 is the writer, the others are readers.
/// A machine without readers has one lane: whoever reads takes the writer's slot.
package struct PoolState<Waiter: Equatable> {
  /// What an access wants to do.
  package enum Purpose: Sendable { case write, read }

  /// The answer to one who wants a slot.
  package enum Admission: Equatable, Sendable {
    /// The slot is theirs.
    case granted(slot: Int)
    /// They stand in line.
    case waiting
    /// The pool is closed.
    case refused
  }

  /// What becomes of a slot that was given back.
  package enum Return: Equatable {
    /// It is for the one who waited longest.
    case handedOver(slot: Int, to: Waiter)
    /// It is free.
    case free
    /// The pool is closed, and so must the slot's connection be.
    case closing(slot: Int)
  }

  private struct Lane {
    var free: [Int]
    var line: [Waiter] = []
  }

  private var writers: Lane
  private var readers: Lane
  private let readerCount: Int
  private var isClosed = false

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

  /// Gives a slot to the caller, if one is free and nobody stands in line before.
  ///
  /// - Returns: `nil` when the caller must ``wait(_:for:)``.
  package mutating func take(for purpose: Purpose) -> Admission? {
    guard !isClosed else { return .refused }
    let slot = usesReaders(purpose) ? readers.free.popLast() : writers.free.popLast()
    return slot.map { .granted(slot: $0) }
  }

  /// Gives a slot to the waiter, or puts it at the end of the line.
  package mutating func wait(_ waiter: Waiter, for purpose: Purpose) -> Admission {
    if let admission = take(for: purpose) { return admission }
    if usesReaders(purpose) {
      readers.line.append(waiter)
    } else {
      writers.line.append(waiter)
    }
    return .waiting
  }

  /// How many stand in line, for the writer's slot and the readers'.
  package var waitingCount: Int {
    writers.line.count + readers.line.count
  }

  /// Takes a waiter out of the line.
  ///
  /// - Returns: Whether it stood there; false when it has its slot already.
  package mutating func leave(_ waiter: Waiter) -> Bool {
    if let index = writers.line.firstIndex(of: waiter) {
      writers.line.remove(at: index)
      return true
    }
    if let index = readers.line.firstIndex(of: waiter) {
      readers.line.remove(at: index)
      return true
    }
    return false
  }

  /// Takes a slot back from whoever held it.
  ///
  /// - Precondition: Somebody holds the slot.
  package mutating func giveBack(slot: Int) -> Return {
    precondition((0...readerCount).contains(slot), "There is no slot \(slot).")
    return slot == 0
      ? Self.giveBack(slot, to: &writers, isClosed: isClosed)
      : Self.giveBack(slot, to: &readers, isClosed: isClosed)
  }

  private static func giveBack(_ slot: Int, to lane: inout Lane, isClosed: Bool) -> Return {
    precondition(!lane.free.contains(slot), "Slot \(slot) is given back, but nobody holds it.")
    guard lane.line.isEmpty else {
      return .handedOver(slot: slot, to: lane.line.removeFirst())
    }
    lane.free.append(slot)
    return isClosed ? .closing(slot: slot) : .free
  }

  /// Refuses all who come and all who wait; who holds a slot keeps it until it is given back.
  ///
  /// - Returns: The free slots, whose connections can be closed now in this order, and those who
  ///   waited. The writer comes last, because a reader cannot clear the write-ahead log away.
  package mutating func close() -> (free: [Int], refused: [Waiter]) {
    guard !isClosed else { return ([], []) }
    isClosed = true
    let refused = writers.line + readers.line
    writers.line = []
    readers.line = []
    return (readers.free.sorted() + writers.free, refused)
  }
}
