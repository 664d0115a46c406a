// SQLite's functions that read JSON. A path is part of the SQL, so that SQLite finds an index on the expression.
// https://www.sqlite.org/json1.html

extension Database {
  /// Returns the value of a part as SQL has it: a text, a number, NULL, an object or array as its JSON.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - path: A path, such as `$.address.city`.
  /// - Returns: The SQL `JSON_EXTRACT`; NULL for a part that is missing.
  public static func jsonExtract(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_EXTRACT", [value], paths: [path])
  }

  /// Returns several parts as a JSON array; with one path, the value as SQL has it.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - paths: Paths, such as `$.address.city`.
  /// - Returns: The SQL `JSON_EXTRACT`.
  public static func jsonExtract(
    _ value: some SQLExpressible, atPaths paths: some Collection<some SQLExpressible>
  ) -> SQLExpression {
    .json("JSON_EXTRACT", [value], paths: paths.map { $0 })
  }

  /// Returns the number of elements of an array; 0 for other JSON.
  ///
  /// - Parameter value: JSON.
  /// - Returns: The SQL `JSON_ARRAY_LENGTH`.
  public static func jsonArrayLength(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_ARRAY_LENGTH", [value])
  }

  /// Returns the number of elements of an array in JSON; 0 for another part.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - path: A path, such as `$.address.city`.
  /// - Returns: The SQL `JSON_ARRAY_LENGTH`; NULL for a part that is missing.
  public static func jsonArrayLength(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_ARRAY_LENGTH", [value], paths: [path])
  }

  /// Returns the type of JSON.
  ///
  /// - Parameter value: JSON.
  /// - Returns: The SQL `JSON_TYPE`: `null`, `true`, `false`, `integer`, `real`, `text`, `array` or `object`.
  public static func jsonType(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_TYPE", [value])
  }

  /// Returns the type of a part of JSON.
  ///
  /// - Parameters:
  ///   - value: JSON.
  ///   - path: A path, such as `$.address.city`.
  /// - Returns: The SQL `JSON_TYPE`; NULL for a part that is missing.
  public static func jsonType(
    _ value: some SQLExpressible, atPath path: some SQLExpressible
  ) -> SQLExpression {
    .json("JSON_TYPE", [value], paths: [path])
  }

  /// Returns whether a value is well-formed JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - options: The accepted forms, which SQLite has since 3.45; JSON text if `nil`.
  /// - Returns: The SQL `JSON_VALID`.
  public static func jsonIsValid(
    _ value: some SQLExpressible, options: JSONValidationOptions? = nil
  ) -> SQLExpression {
    .json("JSON_VALID", [value] + (options.map { [$0.rawValue] } ?? []))
  }

  /// Returns where JSON is malformed.
  ///
  /// - Parameter value: JSON.
  /// - Returns: The SQL `JSON_ERROR_POSITION`, which SQLite has since 3.42: the position of the first wrong
  ///   character, from 1; 0 for well-formed JSON.
  public static func jsonErrorPosition(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_ERROR_POSITION", [value])
  }

  /// Returns a value of SQL as JSON: a text gets quotes.
  ///
  /// - Parameter value: A text, a number or NULL; one of ``SQLJSONExpressible`` is JSON already.
  /// - Returns: The SQL `JSON_QUOTE`.
  public static func jsonQuote(_ value: some SQLExpressible) -> SQLExpression {
    .json("JSON_QUOTE", building: [value])
  }
}
