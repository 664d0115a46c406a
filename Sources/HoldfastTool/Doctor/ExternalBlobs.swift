import Holdfast
import HoldfastFiles

/// The large values that Core Data stores in files next to its database.
///
/// A column contains the byte 2 and the name of the file, a UUID as text with a NUL; a value that is
/// stored in the column itself begins with the byte 1.
struct ExternalBlobs {
  /// The names below the copied folder that lead to the files.
  let folder: [String]

  /// Returns `nil` for a database that is none of Core Data's.
  init?(of file: String, _ db: Database) throws {
    guard try db.tableExists("Z_METADATA", in: "main"),
      try db.tableExists("Z_PRIMARYKEY", in: "main")
    else { return nil }
    var names = file.split(separator: "/").map(String.init)
    guard let name = names.popLast() else { return nil }
    let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    folder = names + [".\(stem)_SUPPORT", "_EXTERNAL_DATA"]
  }

  /// The condition for values that are the name of a file.
  static func condition(_ column: String) -> String {
    "typeof(\(column)) = 'blob' AND length(\(column)) = 38 AND substr(\(column), 1, 1) = x'02'"
  }

  /// Returns the name of the file that a value stands for; `nil` for another value.
  static func name(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 38, bytes.first == 2, bytes.last == 0 else { return nil }
    let name = String(decoding: bytes[1..<37], as: UTF8.self)
    return StoredPath.isUUID(name) ? name : nil
  }
}
