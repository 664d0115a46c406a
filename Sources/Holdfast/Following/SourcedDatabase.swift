public import Foundation
public import HoldfastSQLite

/// A database file that a source returned as its current one.
///
/// The file stays where it is as long as this value, or a reader that ``open(configuration:)``
/// returned, exists.
public struct SourcedDatabase: Sendable {
  /// The file.
  public let url: URL

  /// The name of the state that the file contains; equal names, compared by bytes, stand for equal
  /// files at equal paths.
  public let generation: String

  /// Whether the source guarantees that the file is never modified.
  public let isNeverModified: Bool

  private let lease: (any Sendable)?
  private let check: @Sendable () throws -> Void

  /// Creates a value for a source to return.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - generation: The name of the state that the file contains.
  ///   - isNeverModified: Whether the file is never modified, so that it is read without locks.
  ///   - lease: An object that keeps the file where it is as long as the object exists.
  ///   - check: Called each time a connection has opened the file; throws if another file is at its
  ///     path now.
  public init(
    url: URL, generation: String, isNeverModified: Bool, keeping lease: (any Sendable)? = nil,
    check: @escaping @Sendable () throws -> Void = {}
  ) {
    self.url = url
    self.generation = generation
    self.isNeverModified = isNeverModified
    self.lease = lease
    self.check = check
  }

  /// Opens the file read-only, for several readers.
  ///
  /// - Parameter configuration: The configuration of the connections, which are read-only in any
  ///   case.
  /// - Returns: A pool; the file stays where it is until the pool is deinitialized, also while the
  ///   database is suspended.
  /// - Throws: The errors of `DatabasePool(readOnlyFileAt:isNeverModified:configuration:)`, and the
  ///   source's error when another file is at the path now.
  public func open(configuration: Configuration = Configuration()) throws -> DatabasePool {
    var own = configuration
    // The closure belongs to the pool, and keeps the lease as long as connections may be opened.
    own.prepareFirst { [self] _ in try checkFile() }
    return try DatabasePool(
      readOnlyFileAt: url, isNeverModified: isNeverModified, configuration: own)
  }

  /// Throws if another file is at the path now than the one that was opened before the call.
  package func checkFile() throws {
    try withExtendedLifetime(lease) { try check() }
  }
}
