public import HoldfastFiles

/// A row of a ledger's table, with what the side table adds to it.
public struct LedgerRecord: Hashable, Sendable {
  /// The states of a record.
  public enum State: Hashable, Sendable {
    /// The file is recorded.
    case recorded
    /// The file was absent, and a repair cleared the record, which can be restored.
    case cleared
    /// The app has set the state column to 0.
    case withdrawn
  }

  /// The identifier.
  public var id: RecordID

  /// The text of the path column, as it is stored.
  public var storedText: String

  /// The path that the text stands for; `nil` when it stands for no file or cannot be read.
  public var path: RelocatablePath?

  /// The state.
  public var state: State

  /// The length and the digest of the file, when they are known.
  public var digest: FileDigest?

  /// The text of the location column.
  var location: String?

  /// Whether a repair has cleared the row, under this path or another one.
  var hasTombstone = false

  /// Whether the text is empty or an address on the network, so that there is no file to find.
  var standsForNoFile: Bool { storedText.isEmpty || PathDialect.isRemote(storedText) }
}
