public import Foundation
public import Holdfast

/// The database of a previous edition, whose data an app carries over into a new one.
public struct SeedCarryOver: Sendable {
  /// The name under which the previous database is attached.
  public static let schema = "previous"

  /// The file; when it does not exist, there is nothing to carry over.
  public let url: URL

  let body: @Sendable (Database) throws -> Void

  /// Creates a rule for the first start of a new edition.
  ///
  /// - Parameters:
  ///   - url: The file of the previous edition, which is only read.
  ///   - body: Copies the user's data into the new database; the previous one is attached under the
  ///     name `previous`, and can only be read. It is called in a transaction, before the new
  ///     database gets its name.
  public init(from url: URL, _ body: @escaping @Sendable (Database) throws -> Void) {
    self.url = url
    self.body = body
  }
}
