public import HoldfastFiles

extension RelocatablePath: DatabaseValueConvertible {
  /// The text form, such as `@documents/downloads/book.m4b`.
  public var databaseValue: DatabaseValue { description.databaseValue }

  /// Returns the path that a stored text form spells.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> RelocatablePath? {
    String.fromDatabaseValue(value).flatMap(RelocatablePath.init)
  }
}
