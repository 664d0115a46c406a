/// What a suspension found, and left.
public struct SuspensionReport: Hashable, Sendable {
  /// What is known about the locks of this process on the database.
  public enum Locks: Hashable, Sendable {
    /// The kernel's table of locks shows none.
    case proved
    /// All connections are closed, which ends their locks; a process cannot see its own locks here,
    /// or the file is no longer at its path.
    case closed
    /// Some are left, for the reasons in ``SuspensionReport/notFree``, or because another pool of
    /// this process has the file open.
    case left
  }

  /// The number of connections that were closed, idle ones included.
  public internal(set) var closedConnectionCount = 0

  /// The number of statements, checkpoints and waits for a lock that were interrupted.
  public internal(set) var interruptedStatementCount = 0

  /// The number of transactions with changes that were rolled back.
  public internal(set) var rolledBackTransactionCount = 0

  /// The number of transactions that only read and were ended, snapshots included.
  public internal(set) var endedReadTransactionCount = 0

  /// What could not be ended before the limit, each with its reason; it ends as soon as it can.
  public internal(set) var notFree: [String] = []

  /// The locks that this process still holds on the database, as far as the kernel tells.
  ///
  /// Another pool of the process that has the file open may hold them.
  public internal(set) var heldLocks: [LockTable.Lock] = []

  /// What is known about the locks that are left.
  public internal(set) var locks = Locks.closed

  /// Whether somebody may still read the suspended database, with a lock for as long as that takes.
  public internal(set) var allowsReading = false

  /// How long it took.
  public internal(set) var duration = Duration.zero

  /// Whether no lock is left.
  public var isFree: Bool { notFree.isEmpty && locks != .left }
}

extension SuspensionReport: CustomStringConvertible {
  /// The report in one sentence, for a log.
  public var description: String {
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
      parts.append("not free: " + (notFree + held).joined(separator: "; "))
    }
    if allowsReading { parts.append("reading stays allowed") }
    return "Suspended in \(duration): " + parts.joined(separator: ", ")
  }

  private func count(_ verb: String, _ number: Int, _ noun: String) -> String? {
    number == 0 ? nil : "\(verb) \(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
