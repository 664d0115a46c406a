public import Foundation

extension ChangeHistory {
  /// What became of a row.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// It was not there before.
    case insert
    /// It was there, and is there with other values, or was written again with the same ones.
    case update
    /// It is gone.
    case delete
  }

  /// A row that changed.
  public struct Change: Hashable, Sendable {
    /// The place right after the change.
    public let token: Token

    /// The name that the table has now.
    public let table: String

    /// The columns of ``key``: the primary key, or the rowid of a table that declares none.
    public let keyColumns: [String]

    /// The row's key, as it was stored.
    public let key: [DatabaseValue]

    /// What became of the row.
    public let kind: Kind

    /// Who changed it last; `nil` for a writer without `Configuration.historyAuthor`, such as
    /// another library.
    public let author: String?

    /// When it was changed last, by the writer's clock, in whole milliseconds.
    public let time: Date
  }

  /// How much is told of a row that was changed several times.
  public enum Detail: Sendable {
    /// One change for each row, with what became of it in the end.
    ///
    /// A row that was inserted and deleted since is left out. A change of the key is a deletion
    /// and an insertion. The rows come in the order of their last changes.
    case rows

    /// Every change that was noted, in order.
    case everyChange
  }

  /// What a history answers to a token.
  public enum Answer: Hashable, Sendable {
    /// What changed after the token, and the token to ask with next.
    case changes([Change], upTo: Token)

    /// The history cannot tell: read the tables themselves, in the same access, and ask with
    /// `startingAt` next.
    case expired(Expiration, startingAt: Token)
  }

  /// Why a history cannot tell what changed after a token.
  public enum Expiration: String, Codable, Hashable, Sendable {
    /// The token was given by another database.
    case otherStore

    /// Changes after the token were removed, or were missed because a table was rebuilt or its
    /// indexes changed without ``ChangeHistory/install(on:tables:)``.
    case purged

    /// The database was replaced by an older copy.
    case replaced

    /// A table was rebuilt, dropped or given another index, and ``ChangeHistory/install(on:tables:)``
    /// was not called since.
    case outdatedTriggers
  }
}
