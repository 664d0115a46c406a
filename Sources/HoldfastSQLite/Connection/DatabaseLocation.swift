/// The location of a database.
package enum DatabaseLocation: Sendable {
  /// A file, by its path.
  case file(String)

  /// A file that is not modified while it is open here, by its path.
  ///
  /// SQLite takes no lock and uses no companion file. If the file is modified nevertheless, results
  /// are wrong.
  ///
  /// - SeeAlso: <https://www.sqlite.org/uri.html>, "immutable"
  case immutableFile(String)

  /// Memory, for a single connection.
  case memory

  /// A file without a name, for a single connection, which SQLite deletes when that is closed.
  ///
  /// - SeeAlso: <https://www.sqlite.org/inmemorydb.html#temp_db>
  case temporaryFile

  /// Memory that all connections of the process with the same name share.
  case sharedMemory(String)

  /// The path of the file; `nil` for a database in memory or in a file without a name.
  ///
  /// It is absolute, except for the names that have a special meaning in SQLite.
  package var path: String? {
    switch self {
    case .file(let path), .immutableFile(let path): path
    case .memory, .sharedMemory, .temporaryFile: nil
    }
  }

  /// The name to open with SQLite.
  var name: String {
    switch self {
    case .file(let path):
      // Some builds of SQLite interpret any name that begins with `file:` as a URI.
      path.utf8.prefix(5).map { $0 | 0x20 } == Array("file:".utf8) ? "./" + path : path
    case .immutableFile(let path):
      // An empty authority before an absolute path, which may itself begin with two slashes.
      (path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:") + Self.escaped(path)
        + "?immutable=1"
    case .memory: ":memory:"
    case .temporaryFile: ""
    // "If the filename begins with "/" then the database is shared by all connections of the
    // process that use that name": https://www.sqlite.org/inmemorydb.html and `memdb.c`.
    case .sharedMemory(let name): "/holdfast/" + name
    }
  }

  /// Whether the file is taken for one that nobody modifies.
  var isNeverModified: Bool {
    if case .immutableFile = self { true } else { false }
  }

  /// Whether the name is a URI and not a path.
  var isURI: Bool { isNeverModified }

  /// Returns the name by which a file is attached read-only.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the file.
  ///   - isNeverModified: Whether the file is never modified, so that SQLite takes no lock.
  /// - Returns: A `file:` URI, with `immutable=1` or else with `mode=ro`.
  static func attachmentName(_ path: String, isNeverModified: Bool) -> String {
    "file://" + escaped(path) + (isNeverModified ? "?immutable=1" : "?mode=ro")
  }

  /// Returns the path with every byte escaped that has a meaning in a URI.
  ///
  /// A `#` or a `?` would end the path, and a `%` change it.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."):
        text.append(byte)
      default:
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The name of the SQLite VFS that stores the database; `nil` for the default one.
  ///
  /// The shared cache is not used, because its connections fail with `SQLITE_LOCKED` at once,
  /// regardless of the busy mode.
  var storage: String? {
    if case .sharedMemory = self { "memdb" } else { nil }
  }
}
