/// A report of what a repair has found and changed.
public struct RepairReport: Hashable, Sendable {
  /// The action of a repair on a record, or the one that it would take in a dry run.
  public enum Action: Hashable, Sendable {
    /// Nothing.
    case none
    /// The path was absolute, or its location was wrong; it was written in the table's dialect.
    case rewritten
    /// The file was found at another path, which was written.
    case repaired(RepairStep)
    /// The file of a cleared record was there again.
    case restored
    /// The file is proven to be absent, and the record was cleared.
    case cleared
  }

  /// A record that was changed, or that could not be judged.
  public struct Item: Hashable, Sendable {
    /// The identifier.
    public var id: RecordID
    /// Whether the file is there, after the repair.
    public var answer: Presence
    /// The action of the repair.
    public var action: Action
    /// The text that was stored before.
    public var from: String
    /// The text that is stored now; `nil` when it was not changed.
    public var to: String?
    /// The value of the location column now, if it was changed.
    public var location: String?
    /// The reason the record could not be judged or written; `nil` when it could.
    public var problem: String?
    /// The exclusion from backups of a file that was found in the documents, or of the folder in which it is
    /// excluded already; `nil` for others.
    public var backupExclusion: BackupExclusion?
  }

  /// The number of items that ``items`` keeps.
  public static let itemLimit = 1000

  /// The number of records that were examined.
  public var examined = 0

  /// The number of records whose path was rewritten, although the file was where they said.
  public var rewritten = 0

  /// The number of records whose file was found at another path.
  public var repaired = 0

  /// The number of cleared records whose file was there again.
  public var restored = 0

  /// The number of records that were cleared.
  public var cleared = 0

  /// The number of records whose files are neither proven to be there nor proven to be absent.
  public var unknown = 0

  /// The number of records that stand for no file: empty paths and addresses on the network.
  public var withoutFile = 0

  /// The number of rows that could not be written; ``items`` says why.
  public var refused = 0

  /// The first ``itemLimit`` records that were changed or could not be judged, in the order in
  /// which they were examined.
  public var items: [Item] = []

  /// Whether every record was examined; false when the budget was used up.
  public var isComplete = true

  /// Whether nothing was written.
  public var isDryRun = false

  /// Whether the repair continued one that was interrupted.
  public var isContinued = false

  /// The time that the repair took.
  public var duration: Duration = .zero

  /// Creates the report of a repair that has examined nothing.
  public init() {}

  mutating func add(_ item: Item) {
    switch item.action {
    case .none: if item.problem != nil, item.answer == .unknown { unknown += 1 }
    case .rewritten: rewritten += 1
    case .repaired: repaired += 1
    case .restored: restored += 1
    case .cleared: cleared += 1
    }
    if items.count < Self.itemLimit { items.append(item) }
  }
}
