import Foundation
import Holdfast

/// A summary of how often repairs were needed, how many records they concerned, and how long they
/// took.
///
/// They are sums of the latest 1000 repairs of a table that were run over the whole table or have
/// found something.
public struct RepairMetrics: Hashable, Sendable {
  /// The number of repairs.
  public var repairs: Int
  /// The number of repairs that changed a record.
  public var repairsWithChanges: Int
  /// The number of records that were examined.
  public var examined: Int
  /// The number of records whose path was rewritten.
  public var rewritten: Int
  /// The number of records whose file was found at another path.
  public var repaired: Int
  /// The number of cleared records whose file was there again.
  public var restored: Int
  /// The number of records that were cleared.
  public var cleared: Int
  /// The number of times that a file was neither proven to be there nor proven to be absent.
  public var unknown: Int
  /// The time that the repairs took, in milliseconds precision.
  public var duration: Duration

  init(of source: Int64, _ db: Database) throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT count(*),
          total(rewritten + repaired + restored + cleared > 0),
          total(examined), total(rewritten), total(repaired), total(restored), total(cleared),
          total(unknown), total(milliseconds)
        FROM main.holdfast_ledger_runs WHERE source = ?
        """, arguments: [source])
    // A sum of what is stored may be larger than an integer.
    func number(_ index: Int) -> Int {
      row.map { Int(exactly: ($0[index] as Double).rounded()) ?? .max } ?? 0
    }
    repairs = number(0)
    repairsWithChanges = number(1)
    examined = number(2)
    rewritten = number(3)
    repaired = number(4)
    restored = number(5)
    cleared = number(6)
    unknown = number(7)
    duration = .milliseconds(number(8))
  }
}
