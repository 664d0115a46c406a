import Foundation
import HoldfastFiles

/// A printed value: a table's cell or a JSON value.
enum Cell: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer that may need 64 bits without a sign.
  case unsigned(UInt64)
  case real(Double)
  case text(String)
  case instant(Instant)
  case blob(Data)
  case list([Cell])
  case record(OutputRecord)

  init(_ value: String?) { self = value.map(Cell.text) ?? .null }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  init(_ value: Int64?) { self = value.map(Cell.integer) ?? .null }
  init(_ value: Double?) { self = value.map(Cell.real) ?? .null }
  init(_ value: OutputRecord?) { self = value.map(Cell.record) ?? .null }
}

/// A printed record: keys in the given order, each with a value.
struct OutputRecord: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  struct Field: Sendable, Equatable {
    var key: String
    var cell: Cell
  }

  var fields: [Field]

  init(dictionaryLiteral fields: (String, Cell)...) {
    self.fields = fields.map(Field.init)
  }

  /// Creates the record of a row whose columns are known only when it is read.
  ///
  /// The names must be distinct, which ``distinct(_:)`` ensures.
  init(columns: [String], cells: [Cell]) {
    self.fields = zip(columns, cells).map(Field.init)
  }

  /// Returns distinct names for columns of the same name: `a`, `a_2`, `a_3`.
  ///
  /// SQL allows `SELECT 1 AS a, 2 AS a`, but an object with a duplicate key loses one value.
  static func distinct(_ columns: [String]) -> [String] {
    var taken = Set(columns)
    var seen: Set<String> = []
    return columns.map { column in
      if seen.insert(column).inserted { return column }
      let name = (2...).lazy.map { "\(column)_\($0)" }.first { taken.insert($0).inserted }
      return name ?? column
    }
  }
}

extension Data {
  /// These bytes as an SQL literal: `x'00ff'`.
  var blobLiteral: String { "x'\(HexText.text([UInt8](self)))'" }
}
