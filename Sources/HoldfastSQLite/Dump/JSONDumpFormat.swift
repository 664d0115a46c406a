public import Foundation

/// A format that writes the rows of a statement as a JSON array of objects, in the order of the columns.
///
/// ```swift
/// // [{"id":1,"name":"Arthur"},
/// // {"id":2,"name":"Barbara"}]
/// try db.dumpRequest(Player.all(), format: .json())
/// ```
///
/// Columns of the same name are keys of the same name, of which most readers keep one: name them with `AS`.
///
/// With `.prettyPrinted` each value has a line of its own:
///
/// ```swift
/// let encoder = JSONDumpFormat.defaultEncoder
/// encoder.outputFormatting.insert(.prettyPrinted)
/// try db.dumpRequest(Player.all(), format: .json(encoder: encoder))
/// ```
public struct JSONDumpFormat: DumpFormat, Sendable {
  /// An encoder that writes blobs as Base64, and infinite numbers as `"inf"` and `"-inf"`.
  ///
  /// Each call returns an encoder of its own, which may be changed.
  public static var defaultEncoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.dataEncodingStrategy = .base64
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  /// The encoder of the names and the values, one by one.
  public var encoder: JSONEncoder

  private var isFirst = true

  /// Creates the format.
  ///
  /// - Parameter encoder: The encoder of the names and the values; of its options for whole objects only
  ///   `.prettyPrinted` has an effect.
  public init(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) {
    self.encoder = encoder
  }

  private var isPretty: Bool { encoder.outputFormatting.contains(.prettyPrinted) }

  /// Writes an object.
  ///
  /// - Throws: Whatever the encoder throws.
  public mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) throws {
    let fields = try zip(statement.columnNames, statement.databaseValues).map { name, value in
      try "\(json(name)):\(json(value))"
    }
    stream.write(isFirst ? (isPretty ? "[\n" : "[") : ",\n")
    isFirst = false
    stream.write(
      isPretty
        ? "  {\n    " + fields.joined(separator: ",\n    ") + "\n  }"
        : "{" + fields.joined(separator: ",") + "}")
  }

  /// Writes the end of the array, or an empty one; nothing after a statement that returns no rows.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    if !isFirst {
      stream.write(isPretty ? "\n]\n" : "]\n")
    } else if statement.columnCount > 0 {
      stream.write("[]\n")
    }
    isFirst = true
  }

  private func json(_ value: DatabaseValue) throws -> String {
    switch value.storage {
    case .null: "null"
    case .int64(let value): try json(value)
    case .double(let value): try json(value)
    case .string(let value): try json(value)
    case .blob(let value): try json(value)
    }
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension DumpFormat where Self == JSONDumpFormat {
  /// A format that writes the rows of a statement as a JSON array of objects; see
  /// ``JSONDumpFormat/init(encoder:)``.
  public static func json(encoder: JSONEncoder = JSONDumpFormat.defaultEncoder) -> Self {
    JSONDumpFormat(encoder: encoder)
  }
}
