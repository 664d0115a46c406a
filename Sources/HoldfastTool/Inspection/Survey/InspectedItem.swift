import Foundation
import HoldfastFiles

/// Something that the page has a view of.
struct InspectedItem: Sendable, Equatable {
  enum Kind: String, Sendable {
    case database, tileset, timetable, ledger, packs

    /// The letter with which identifiers begin.
    var letter: String {
      switch self {
      case .database: "d"
      case .tileset: "t"
      case .timetable: "z"
      case .ledger: "l"
      case .packs: "p"
      }
    }
  }

  /// The identifier in URLs, which stays the same while the server runs.
  var id: String
  var kind: Kind
  /// The file or folder.
  var path: FilePath
  /// Its path relative to what is inspected.
  var name: String
  var byteCount: Int64
  /// The size of the log of a database.
  var logByteCount: Int64 = 0
  /// Whether it is opened with the key of the environment.
  var needsKey = false
  /// The identifier of the database that it is in; `nil` for a database itself, and what is in none.
  var database: String?
  /// Why it cannot be opened, in a sentence.
  var note: String?
}
