public import Foundation

/// A write that took long, and what it did.
public struct LongWrite: Hashable, Sendable {
  /// When it had its lock.
  public var startDate: Date

  /// How long others could not write: from then to the end of the transaction.
  ///
  /// Of a statement that is a transaction of its own it includes the waiting for the lock.
  public var duration: Duration

  /// The SQL of its statements in their order, of one that is repeated once; 20 at most.
  ///
  /// Bound values are shown only where ``Configuration/publicStatementArguments`` allows it.
  public var statements: [String]

  /// How many statements it ran, repeated ones included, without those that begin and end it.
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
  /// How long it took, and its SQL.
  public var description: String {
    let seconds = ((duration / .seconds(1)) * 1e6).rounded() / 1e6
    let rest = statementCount > statements.count ? " … (\(statementCount) statements)" : ""
    return "\(seconds)s \(statements.joined(separator: "; "))\(rest)"
  }
}
