/// A report of what a suspension ended and what remains.
public struct SuspensionReport: Hashable, Sendable {
  /// Whether this process may still hold locks on the database.
  public enum Locks: Hashable, Sendable {
    /// The kernel's table of locks shows none.
    case proved
    /// All connections are closed, which ends their locks; a process cannot inspect its own locks
    /// on this system, or the file is no longer at its path.
    case closed
    /// Some locks remain, for the reasons in ``SuspensionReport/notFree``, or because another pool
    /// of this process has the file open.
    case left
  }

  /// The number of connections that were closed, idle ones included.
  public internal(set) var closedConnectionCount = 0

  /// The number of interrupted statements, checkpoints and waits for a lock.
  public internal(set) var interruptedStatementCount = 0

  /// The number of transactions with changes that were rolled back.
  public internal(set) var rolledBackTransactionCount = 0

  /// The number of transactions without changes that were ended, snapshots included.
  public internal(set) var endedReadTransactionCount = 0

  /// The operations that did not end before the limit, with their reasons; each ends when it can.
  public internal(set) var notFree: [String] = []

  /// The locks that this process still holds on the database, if the kernel lists them.
  ///
  /// Another pool of the process that has the file open may hold them.
  public internal(set) var heldLocks: [LockTable.Lock] = []

  /// Whether locks may remain, and how this is known.
  public internal(set) var locks = Locks.closed

  /// Whether the suspended database may still be read, with a lock for the duration of each read.
  public internal(set) var allowsReading = false

  /// The duration of the suspension itself.
  public internal(set) var duration = Duration.zero

  /// Whether no lock remains.
  public var isFree: Bool { notFree.isEmpty && locks != .left }
}

extension SuspensionReport: CustomStringConvertible {
  /// The report as one sentence, for a log.
  public var description: String { text(reasons: notFree) }

  /// The report without what SQLite and the app say, which may name values.
  var summary: String {
    text(reasons: notFree.isEmpty ? [] : ["\(notFree.count) connections were not closed in time"])
  }

  private func text(reasons: [String]) -> String {
    var parts = [
      count("closed", closedConnectionCount, "connection"),
      count("interrupted", interruptedStatementCount, "statement"),
      count("rolled back", rolledBackTransactionCount, "transaction"),
      count("ended", endedReadTransactionCount, "reader"),
    ].compactMap(\.self)
    switch locks {
    case .proved: parts.append("no lock is left, as the kernel says")
    case .closed where notFree.isEmpty: parts.append("all is closed")
    case .closed, .left:
      let held = heldLocks.map { "\($0)" }
      parts.append("not free: " + (reasons + held).joined(separator: "; "))
    }
    if allowsReading { parts.append("reading stays allowed") }
    return "Suspended in \(duration): " + parts.joined(separator: ", ")
  }

  private func count(_ verb: String, _ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(verb) \(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
