import Foundation
import Holdfast

// Lines as in RFC 4180, but ended by a line feed alone, as other shell tools do.

extension OutputRecord {
  /// The names of the columns.
  var csvHeader: String { fields.map { $0.key.quotedForCSV }.joined(separator: ",") }

  /// The values, in the order of the columns.
  var csv: String { fields.map(\.cell.csv).joined(separator: ",") }
}

extension Cell {
  /// This value as a field: NULL is an empty field, an empty text is `""`, a blob is `x'00ff'`.
  fileprivate var csv: String {
    switch self {
    case .null: ""
    case .text(let value): value.quotedForCSV
    case .instant(let value): value.iso8601.quotedForCSV
    case .blob(let value): value.blobLiteral
    case .bool, .integer, .unsigned, .real, .list, .record: tableText.quotedForCSV
    }
  }
}

extension String {
  fileprivate var quotedForCSV: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        // Spaces are part of a field, but some readers trim them.
        byte > 0x20 && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "\"")
      }
    return isPlain ? self : quoted(by: "\"")
  }
}
