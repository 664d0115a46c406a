public import HoldfastFiles

extension RelocatablePath: DatabaseValueConvertible {
  /// The text form, such as `@documents/downloads/book.m4b`.
  public var databaseValue: DatabaseValue { description.databaseValue }

  /// Returns the path with the stored text form; `nil` if the value is not one.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> RelocatablePath? {
    String.fromDatabaseValue(value).flatMap(RelocatablePath.init)
  }
}
