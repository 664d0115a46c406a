public import Foundation

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// A collation written in Swift, for `COLLATE` in SQL.
///
/// ```swift
/// let byLength = DatabaseCollation("by_length") { a, b in
///   a.count == b.count ? .orderedSame : a.count < b.count ? .orderedAscending : .orderedDescending
/// }
/// configuration.prepareDatabase { db in db.add(collation: byLength) }
/// ```
///
/// - Important: An index has the order that the collation had when its rows were written. If the
///   order changes, as a locale's may with a new system version, recreate the index with
///   ``Database/reindex(collation:)-(DatabaseCollation)``.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/create_collation.html>
public final class DatabaseCollation: Identifiable, Sendable {
  /// The identity of a collation: its name.
  public struct ID: Hashable, Sendable {
    let name: DatabaseIdentifier
  }

  /// The closure that compares two texts.
  public typealias Function = @Sendable (String, String) -> ComparisonResult

  /// The name in SQL, which is case-insensitive.
  public let name: String

  /// The identity of the collation.
  public var id: ID { ID(name: name.foldedDatabaseIdentifier) }

  private let function: Function

  /// Creates a collation.
  ///
  /// - Parameters:
  ///   - name: The name in SQL.
  ///   - function: Compares two texts. It must be a consistent, transitive order; otherwise
  ///     searches miss rows. It is not called for texts of equal bytes, which are equal.
  public init(_ name: String, function: @escaping Function) {
    self.name = name
    self.function = function
  }

  fileprivate func install(on connection: OpaquePointer) -> CInt {
    let collation = unsafe Unmanaged.passRetained(self)
    let code = unsafe sqlite3_create_collation_v2(
      connection, name, SQLITE_UTF8, collation.toOpaque(),
      { collation, leftCount, left, rightCount, right in
        guard let collation = unsafe collation else { return 0 }
        let left = unsafe UnsafeRawBufferPointer(start: left, count: Int(leftCount))
        let right = unsafe UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        if unsafe left.elementsEqual(right) { return 0 }
        return unsafe CInt(
          Unmanaged<DatabaseCollation>.fromOpaque(collation).takeUnretainedValue()
            .function(
              String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)
            ).rawValue)
      },
      { collation in
        guard let collation = unsafe collation else { return }
        unsafe Unmanaged<DatabaseCollation>.fromOpaque(collation).release()
      })
    // Unlike a function, SQLite does not release it when the call fails.
    if code != SQLITE_OK { unsafe collation.release() }
    return code
  }

  fileprivate func uninstall(from connection: OpaquePointer) -> CInt {
    unsafe sqlite3_create_collation_v2(connection, name, SQLITE_UTF8, nil, nil, nil)
  }
}

// The names are GRDB's for the same orders, so that its database files can be used.
extension DatabaseCollation {
  /// The order of Swift's `String`, by the Unicode scalars of the canonical form.
  public static let unicodeCompare = DatabaseCollation("swiftCompare") { left, right in
    left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
  }

  /// A case-insensitive order, for all of Unicode.
  public static let caseInsensitiveCompare =
    DatabaseCollation("swiftCaseInsensitiveCompare") { $0.caseInsensitiveCompare($1) }

  /// A case-insensitive order of the current locale.
  public static let localizedCaseInsensitiveCompare =
    DatabaseCollation("swiftLocalizedCaseInsensitiveCompare") {
      $0.localizedCaseInsensitiveCompare($1)
    }

  /// The order of the current locale.
  public static let localizedCompare =
    DatabaseCollation("swiftLocalizedCompare") { $0.localizedCompare($1) }

  /// The order of file lists, in which numbers are ordered by their values.
  public static let localizedStandardCompare =
    DatabaseCollation("swiftLocalizedStandardCompare") { $0.localizedStandardCompare($1) }

  private static let builtIn = [
    unicodeCompare, caseInsensitiveCompare, localizedCaseInsensitiveCompare, localizedCompare,
    localizedStandardCompare,
  ]

  /// Makes SQLite add the built-in collations when a statement names them, and not before.
  static func offerBuiltIn(to connection: OpaquePointer) {
    _ = unsafe sqlite3_collation_needed(connection, nil) { _, connection, _, name in
      guard let connection = unsafe connection, let name = unsafe name else { return }
      let folded = unsafe String(cString: name).foldedDatabaseIdentifier
      if let collation = DatabaseCollation.builtIn.first(where: { $0.id.name == folded }) {
        _ = unsafe collation.install(on: connection)
      }
    }
  }
}

extension Database {
  /// Adds a collation to the connection, or replaces the one of the same name.
  ///
  /// Add it in ``Configuration/prepareDatabase(_:)``, so that every connection has it. The built-in
  /// collations need not be added.
  ///
  /// - Parameter collation: The collation.
  /// - Precondition: No statement is active if a collation is replaced.
  public func add(collation: DatabaseCollation) {
    checkAccess()
    // A connection that a suspension closed does not need it.
    let code = handle.ifPresent { unsafe collation.install(on: handle.pointer) } ?? SQLITE_OK
    guard code == SQLITE_OK else { Misuse.trap(Misuse.refused("collation", collation.name, code)) }
  }

  /// Removes a collation from the connection.
  ///
  /// - Parameter collation: A collation with the name of the one to remove.
  /// - Precondition: No statement is active.
  public func remove(collation: DatabaseCollation) {
    checkAccess()
    // A connection that a suspension closed does not have it.
    let code = handle.ifPresent { unsafe collation.uninstall(from: handle.pointer) } ?? SQLITE_OK
    guard code == SQLITE_OK else { Misuse.trap(Misuse.refused("collation", collation.name, code)) }
  }

  /// Recreates every index that uses a collation.
  ///
  /// - Parameter collation: The collation whose order has changed.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/lang_reindex.html>
  public func reindex(collation: DatabaseCollation) throws {
    try reindex(collation: CollationName(rawValue: collation.name))
  }
}
