import HoldfastFiles

extension TimetableFolder {
  /// The changes that an import has made to a folder.
  public struct Update: Hashable, Sendable {
    /// The name of the current database.
    public let database: String

    /// The name of the database that was current before it; `nil` for the first one.
    public let previous: String?

    /// Whether the current database is another one than before the import.
    public let isSwitched: Bool

    /// The names of the databases that were removed.
    public var removed: [String] = []

    /// The databases that were kept although they are no longer needed.
    public var kept: [Kept] = []

    init(_ current: CurrentDatabase, isSwitched: Bool) {
      database = current.database.text
      previous = current.previous?.text
      self.isSwitched = isSwitched
    }
  }

  /// A database that was kept although it is no longer needed.
  public struct Kept: Hashable, Sendable {
    /// The name.
    public let name: String

    /// Why it was kept, as a clause.
    public let reason: String
  }
}
