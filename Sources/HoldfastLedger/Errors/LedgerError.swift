/// An error of a file ledger.
public struct LedgerError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case unsuitableTable, absolutePaths, notAdopted, noRecord, notCleared, unwritablePath,
        databaseInUse
      case noFile, occupied, noSpace, changed, unknownTables, repairRunning
    }

    private let kind: Kind

    /// A table does not have the columns or the content that a ledger needs.
    public static let unsuitableTable = Code(kind: .unsuitableTable)

    /// A table contains absolute paths, and no dialect is named in which to write them.
    public static let absolutePaths = Code(kind: .absolutePaths)

    /// The ledger's side tables do not exist yet; see ``FileLedger/adopt()``.
    public static let notAdopted = Code(kind: .notAdopted)

    /// There is no record of that identifier.
    public static let noRecord = Code(kind: .noRecord)

    /// The record is not cleared, so there is nothing to restore.
    public static let notCleared = Code(kind: .notCleared)

    /// The dialect of a table has no text for a path.
    public static let unwritablePath = Code(kind: .unwritablePath)

    /// A record stands for no file, or its file is absent or cannot be examined.
    public static let noFile = Code(kind: .noFile)

    /// Something exists at the path to which a file should move.
    public static let occupied = Code(kind: .occupied)

    /// A volume has not enough free space for a copy and the reserve.
    public static let noSpace = Code(kind: .noSpace)

    /// A record or a file was changed by other code meanwhile.
    public static let changed = Code(kind: .changed)

    /// Other tables are adopted in the database, and their ledgers were not passed.
    public static let unknownTables = Code(kind: .unknownTables)

    /// Another repair of the table is running, or has taken over the one that throws.
    public static let repairRunning = Code(kind: .repairRunning)

    /// A database cannot be deleted, because it is in use.
    public static let databaseInUse = Code(kind: .databaseInUse)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// A sentence that says what happened, to what, and why.
  public var message: String

  /// An imperative sentence that says what to do next.
  public var advice: String?

  /// The cause, if another layer reported one.
  public var underlying: (any Error)?
}

extension LedgerError {
  /// Whether the same operation may succeed later, because other code was at work.
  public var isTransient: Bool {
    [.changed, .databaseInUse, .repairRunning].contains(code)
  }
}

extension LedgerError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
