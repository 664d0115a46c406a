extension Database {
  /// The declared type of a column.
  ///
  /// SQLite derives a preference for storage classes from it, the column's affinity, but stores any
  /// value in any column unless the table is STRICT.
  ///
  /// - SeeAlso: <https://www.sqlite.org/datatype3.html>
  public struct ColumnType: RawRepresentable, Hashable, Sendable {
    /// The SQL of the type.
    public let rawValue: String

    /// Creates a type from its SQL.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Text.
    public static let text = ColumnType(rawValue: "TEXT")
    /// JSON as text.
    public static let jsonText = ColumnType(rawValue: "TEXT")
    /// JSON in SQLite's binary form, which `Database.jsonb(_:)` makes of texts.
    public static let jsonb = ColumnType(rawValue: "BLOB")
    /// Integers.
    public static let integer = ColumnType(rawValue: "INTEGER")
    /// Real numbers.
    public static let double = ColumnType(rawValue: "DOUBLE")
    /// Real numbers, by the name that STRICT tables accept.
    public static let real = ColumnType(rawValue: "REAL")
    /// Numbers.
    public static let numeric = ColumnType(rawValue: "NUMERIC")
    /// True and false, stored as 1 and 0.
    public static let boolean = ColumnType(rawValue: "BOOLEAN")
    /// Bytes.
    public static let blob = ColumnType(rawValue: "BLOB")
    /// Days.
    public static let date = ColumnType(rawValue: "DATE")
    /// Instants.
    public static let datetime = ColumnType(rawValue: "DATETIME")
    /// Any values, unchanged in STRICT tables.
    public static let any = ColumnType(rawValue: "ANY")
  }

  /// The storage class to which ``cast(_:as:)`` converts a value.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_expr.html#castexpr>
  public struct StorageClass: RawRepresentable, Hashable, Sendable {
    /// The SQL of the storage class.
    public let rawValue: String

    /// Creates a storage class from its SQL.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Integers.
    public static let integer = StorageClass(rawValue: "INTEGER")
    /// Real numbers.
    public static let real = StorageClass(rawValue: "REAL")
    /// Text.
    public static let text = StorageClass(rawValue: "TEXT")
    /// Bytes.
    public static let blob = StorageClass(rawValue: "BLOB")
  }

  /// The name of a collation.
  ///
  /// - SeeAlso: <https://www.sqlite.org/datatype3.html#collation>
  public struct CollationName: RawRepresentable, Hashable, Sendable {
    /// The name in SQL, unquoted.
    public let rawValue: String

    /// Creates a name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Compares texts by their bytes.
    public static let binary = CollationName(rawValue: "BINARY")
    /// Ignores the case of ASCII letters.
    public static let nocase = CollationName(rawValue: "NOCASE")
    /// Ignores spaces at the end.
    public static let rtrim = CollationName(rawValue: "RTRIM")
  }

  /// The action on rows that refer to a row when it is deleted or gets another key.
  ///
  /// - SeeAlso: <https://www.sqlite.org/foreignkeys.html#fk_actions>
  public enum ForeignKeyAction: String, Sendable {
    /// They are deleted, or get the new key too.
    case cascade = "CASCADE"
    /// The statement fails, even if the constraint is deferred.
    case restrict = "RESTRICT"
    /// They refer to no row any more.
    case setNull = "SET NULL"
    /// They refer to the row of the column's default value.
    case setDefault = "SET DEFAULT"
  }
}
