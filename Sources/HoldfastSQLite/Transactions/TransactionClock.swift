public import Foundation

/// A clock that dates transactions.
///
/// Set it in ``Configuration/transactionClock`` and read it as ``Database/transactionDate``.
public protocol TransactionClock: Sendable {
  /// Returns the current date.
  ///
  /// - Parameter db: The connection that begins a transaction.
  /// - Returns: The date that ``Database/transactionDate`` has until the transaction ends.
  /// - Throws: Any error, which ``Database/transactionDate`` rethrows.
  func now(_ db: Database) throws -> Date
}

/// The system's clock.
public struct DefaultTransactionClock: TransactionClock {
  /// Returns the date of the system.
  public func now(_ db: Database) throws -> Date { Date() }
}

/// A clock that is a closure.
public struct CustomTransactionClock: TransactionClock {
  private let date: @Sendable (Database) throws -> Date

  /// Creates a clock from a closure.
  ///
  /// - Parameter now: Returns the current date.
  public init(_ now: @escaping @Sendable (Database) throws -> Date) {
    date = now
  }

  /// Returns the date of the closure.
  public func now(_ db: Database) throws -> Date { try date(db) }
}

extension TransactionClock where Self == DefaultTransactionClock {
  /// The system's clock.
  public static var `default`: DefaultTransactionClock { DefaultTransactionClock() }
}

extension TransactionClock where Self == CustomTransactionClock {
  /// Returns a clock from a closure.
  ///
  /// ```swift
  /// configuration.transactionClock = .custom { _ in Date(timeIntervalSince1970: 0) }
  /// ```
  ///
  /// - Parameter now: Returns the current date.
  /// - Returns: The clock.
  public static func custom(
    _ now: @escaping @Sendable (Database) throws -> Date
  ) -> CustomTransactionClock {
    CustomTransactionClock(now)
  }
}

extension Database {
  /// The date of the current transaction.
  ///
  /// It is set when the transaction begins and is the same until it ends, so that everything that
  /// is stored in one transaction has one date. In an access that only reads it is set when it is
  /// first asked for. Outside of a transaction it is the current date.
  ///
  /// - Throws: Whatever the clock throws.
  public var transactionDate: Date {
    get throws {
      checkAccess()
      dateTransaction()
      if let date = unsafe dateOfTransaction { return try date.get() }
      return try configuration.transactionClock.now(self)
    }
  }

  /// Sets the date of the transaction, if one is open and has none.
  func dateTransaction() {
    guard unsafe dateOfTransaction == nil, isTransactionOpen else { return }
    let date = Result { try configuration.transactionClock.now(self) }
    unsafe dateOfTransaction = date
  }
}
