import Foundation
import Holdfast
import HoldfastFiles

// The records whose paths cannot be read: any file of their name may be theirs.

extension FileOwners {
  /// Returns whether a record whose path cannot be read names a file of this name.
  ///
  /// Call it after ``owns(_:except:_:)``, which builds the index.
  func mayOwn(_ candidate: FileFinder.Candidate, _ db: Database) throws -> Bool {
    try ([candidate.found.path] + candidate.otherNames).contains { path in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM temp.\(table) WHERE folded = ?)",
        arguments: [Self.foldedName(path.lastComponent ?? "")]) ?? false
    }
  }

  /// Adds the names that the end of a text may be.
  func insertNames(in text: String, _ locator: DatabaseValue, _ db: Database) throws {
    guard let last = text.utf8.split(separator: UInt8(ascii: "/")).last else { return }
    var names: Set<String> = [String(Substring(last))]
    // A prefix that no dialect knows, and the escapes of a URL.
    names.formUnion(names.compactMap { $0.split(separator: ":").last.map(String.init) })
    names.formUnion(names.compactMap(\.removingPercentEncoding))
    for name in names {
      try db.execute(
        sql: "INSERT INTO temp.\(table) (folded, path, locator) VALUES (?, ?, ?)",
        arguments: [Self.foldedName(name), name, locator])
    }
  }

  /// A name as it is compared; it differs from every folded path, which begins with "@".
  private static func foldedName(_ name: String) -> String {
    "/"
      + name.precomposedStringWithCanonicalMapping.lowercased()
      .precomposedStringWithCanonicalMapping
  }
}

extension LedgerRows {
  /// The alternative that a row of the aliased table was cleared by a repair, as SQL.
  var orIsCleared: String {
    guard let source else { return "" }
    return """
       OR EXISTS (SELECT 1 FROM main.holdfast_ledger_files AS holdfast_cleared
      WHERE holdfast_cleared.source = \(source) AND holdfast_cleared.key = \(layout.key)
        AND holdfast_cleared.cleared_at IS NOT NULL)
      """
  }
}
