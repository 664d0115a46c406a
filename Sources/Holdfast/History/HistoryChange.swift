public import Foundation

extension ChangeHistory {
  /// The kind of a change.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The row did not exist before.
    case insert
    /// The row existed and now has other values, or was written again with the same ones.
    case update
    /// The row no longer exists.
    case delete
  }

  /// A row that changed.
  public struct Change: Hashable, Sendable {
    /// The token of the position right after the change.
    public let token: Token

    /// The table's current name.
    public let table: String

    /// The columns of ``key``: the primary key, or the rowid of a table that declares none.
    public let keyColumns: [String]

    /// The row's key, as stored.
    public let key: [DatabaseValue]

    /// The kind of the change.
    public let kind: Kind

    /// The author of the last change; `nil` for a writer without `Configuration.historyAuthor`,
    /// such as another library.
    public let author: String?

    /// The time of the last change, by the writer's clock, in whole milliseconds.
    public let time: Date
  }

  /// The level of detail for a row that was changed several times.
  public enum Detail: Sendable {
    /// One change for each row, with its final state.
    ///
    /// A row that was inserted and deleted since is omitted. A change of the key is a deletion and
    /// an insertion. The rows are in the order of their last changes.
    case rows

    /// Every recorded change, in order.
    case everyChange
  }

  /// The answer of a history for a token.
  public enum Answer: Hashable, Sendable {
    /// The changes after the token, and the token for the next query.
    case changes([Change], upTo: Token)

    /// The changes are not known: read the tables themselves, in the same access, and use
    /// `startingAt` for the next query.
    case expired(Expiration, startingAt: Token)
  }

  /// The reason why a history does not know the changes after a token.
  public enum Expiration: String, Codable, Hashable, Sendable {
    /// The token is from another database.
    case otherStore

    /// Changes after the token were removed, or were missed because a table was rebuilt or its
    /// indexes changed without ``ChangeHistory/install(on:tables:)``.
    case purged

    /// The database was replaced by an older copy.
    case replaced

    /// A table was rebuilt or dropped, or its indexes changed, and
    /// ``ChangeHistory/install(on:tables:)`` was not called since.
    case outdatedTriggers
  }
}
