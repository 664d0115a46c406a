public import Foundation

/// A write that took long, and its statements.
public struct LongWrite: Hashable, Sendable {
  /// The time at which the write acquired its lock.
  public var startDate: Date

  /// The time for which other connections could not write, until the end of the transaction.
  ///
  /// For a statement outside of a transaction it includes the wait for the lock.
  public var duration: Duration

  /// The SQL of its statements in order, of consecutive repetitions only once; at most 20.
  ///
  /// Bound values are shown only if ``Configuration/publicStatementArguments`` is true.
  public var statements: [String]

  /// The number of statements it ran, including repetitions, without those that begin and end it.
  public var statementCount: Int

  package init(
    startDate: Date, duration: Duration, statements: [String], statementCount: Int
  ) {
    self.startDate = startDate
    self.duration = duration
    self.statements = statements
    self.statementCount = statementCount
  }
}

extension LongWrite: CustomStringConvertible {
  /// The duration in seconds, and the SQL.
  public var description: String {
    let seconds = ((duration / .seconds(1)) * 1e6).rounded() / 1e6
    let rest = statementCount > statements.count ? " … (\(statementCount) statements)" : ""
    return "\(seconds)s \(statements.joined(separator: "; "))\(rest)"
  }
}
