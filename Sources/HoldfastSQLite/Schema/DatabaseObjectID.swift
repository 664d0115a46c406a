/// A table, view, index or trigger, by its name and its schema.
public struct DatabaseObjectID: Hashable, Sendable {
  /// The name of the object, unquoted.
  public var name: String

  /// The schema to which the object belongs.
  public var schemaID: DatabaseSchemaID

  /// Creates an identifier.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unquoted.
  ///   - schemaID: The schema to which the object belongs.
  public init(name: String, schemaID: DatabaseSchemaID) {
    self.name = name
    self.schemaID = schemaID
  }
}
