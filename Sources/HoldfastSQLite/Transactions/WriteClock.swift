import Foundation

/// A clock that measures how long each write of a connection blocks other writers.
final class WriteClock {
  private let showsArguments: Bool
  private let isLong: (Duration) -> Bool
  private let report: (LongWrite) -> Void

  private var start: ContinuousClock.Instant?
  private var isBeginning = false
  private var statements: [String] = []
  private var statementCount = 0

  private static let margin = CharacterSet.whitespacesAndNewlines.union(
    CharacterSet(charactersIn: ";"))

  // A write may run any number of statements.
  private static let keptCount = 20

  /// - Parameters:
  ///   - showsArguments: Whether bound values may be reported.
  ///   - isLong: Whether a write of the given duration is reported.
  ///   - report: Called with each long write, on the thread that wrote.
  init(
    showsArguments: Bool, isLong: @escaping (Duration) -> Bool,
    report: @escaping (LongWrite) -> Void
  ) {
    self.showsArguments = showsArguments
    self.isLong = isLong
    self.report = report
  }

  func began(_ statement: Statement) {
    if start == nil {
      // A statement that only reads blocks no writers.
      guard !statement.isReadonly else { return }
      start = .now
      isBeginning = statement.transactionVerb == .begin
      if isBeginning { return }
    }
    // COMMIT, SAVEPOINT and similar statements do not describe the write.
    if statement.isReadonly && statement.columnCount == 0 { return }
    statementCount += 1
    let text = showsArguments ? statement.expandedSQL : statement.sql
    if statements.count < Self.keptCount, statements.last != text { statements.append(text) }
  }

  /// - Parameter isOver: Whether the transaction has ended and no statement is active.
  // Not inlined, because the size of an instant is looked up at run time: every statement would
  // do so, and not only those of connections whose writes are measured.
  @inline(never)
  func ended(isOver: Bool) {
    guard let start else { return }
    // Waiting for the lock blocks no writers either.
    if isBeginning { self.start = .now }
    isBeginning = false
    guard isOver else { return }
    finish(ContinuousClock.now - start)
  }

  private func finish(_ duration: Duration) {
    defer {
      start = nil
      statements.removeAll(keepingCapacity: true)
      statementCount = 0
    }
    guard statementCount > 0, isLong(duration) else { return }
    report(
      LongWrite(
        startDate: Date(timeIntervalSinceNow: -(duration / .seconds(1))), duration: duration,
        // A statement from a longer text includes its leading spaces and its semicolon.
        statements: statements.map { $0.trimmingCharacters(in: Self.margin) },
        statementCount: statementCount))
  }
}

extension Database {
  /// Starts measuring the writes of the connection.
  ///
  /// - Parameters:
  ///   - isLong: Whether a write of the given duration is reported.
  ///   - report: Called with each long write, on the thread that wrote.
  package func measureWrites(
    isLong: @escaping @Sendable (Duration) -> Bool, report: @escaping @Sendable (LongWrite) -> Void
  ) {
    writeClock = WriteClock(
      showsArguments: configuration.publicStatementArguments, isLong: isLong, report: report)
  }
}
