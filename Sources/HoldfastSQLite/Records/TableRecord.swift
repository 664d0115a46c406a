/// A type with a table, whose rows are its values.
///
/// ```swift
/// struct Stop: Codable, FetchableRecord, PersistableRecord {
///   static let databaseTableName = "stops"
///   var id: Int64
///   var name: String
/// }
/// let stop = try Stop.fetchOne(db, key: 1)
/// ```
public protocol TableRecord: SendableMetatype {
  /// The type with the columns for closures such as `Player.filter { $0.score > 100 }`.
  ///
  /// A nested type of that name is used, which must be as visible as the record:
  ///
  /// ```swift
  /// extension Player {
  ///   enum Columns {
  ///     static let score = Column("score")
  ///   }
  /// }
  /// ```
  associatedtype Columns = Never

  /// The name of the table; derived from the type's name by default.
  ///
  /// A connection reads it once. The default is `player` for `Player`, `postalAddress` for
  /// `PostalAddress`, `httpRequest` for `HTTPRequest`, and `toefl` for `TOEFL`.
  static var databaseTableName: String { get }

  /// The columns that are fetched; all columns by default.
  ///
  /// Declare it with its type, `[any SQLSelectable]`, or it is ignored. A connection reads it once
  /// for look-ups by key, and once for each other request.
  static var databaseSelection: [any SQLSelectable] { get }
}

extension TableRecord {
  /// The argument of closures such as `Player.filter { $0.score > 100 }`: the type `Columns`.
  public typealias DatabaseComponents = Columns.Type

  /// The type `Columns`.
  public static var databaseComponents: DatabaseComponents { Columns.self }

  /// The type's name with its first word in lowercase.
  public static var databaseTableName: String { RecordNames.tableName(of: "\(Self.self)") }

  /// All columns.
  public static var databaseSelection: [any SQLSelectable] { [AllColumns()] }
}

enum RecordNames {
  /// Returns the table name for a type's name: its first word in lowercase.
  static func tableName(of typeName: String) -> String {
    // `Player<Int>` and `(Player in …)` have the table of `Player`.
    let name = typeName.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let capitals = name.prefix { ("A"..."Z").contains($0) }.count
    switch capitals {
    case name.count: return name.lowercased()
    case 0: return String(name)
    case 1: return name.prefix(1).lowercased() + name.dropFirst()
    // The last uppercase letter begins the second word.
    default: return name.prefix(capitals - 1).lowercased() + name.dropFirst(capitals - 1)
    }
  }
}

// MARK: - Counting and deleting

extension TableRecord {
  /// Returns the number of rows of the table.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public static func fetchCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, literal: "SELECT COUNT(*) FROM \(Self.self)") ?? 0
  }

  /// Returns the number of columns that ``databaseSelection`` selects.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public static func numberOfSelectedColumns(_ db: Database) throws -> Int {
    try db.makeStatement(literal: all().makeSQL(db)).columnCount
  }

  /// Deletes all rows of the table, and returns their number.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @discardableResult
  public static func deleteAll(_ db: Database) throws -> Int {
    try all().deleteAll(db)
  }
}
