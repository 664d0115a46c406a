/// Where a database lies.
package enum DatabaseLocation: Sendable {
  /// In a file, by its path.
  case file(String)

  /// In a file that nobody modifies as long as it is open here, by its path.
  ///
  /// SQLite takes no lock and looks at no file beside it. When the file is modified all the same,
  /// results are wrong.
  ///
  /// - SeeAlso: <https://www.sqlite.org/uri.html>, "immutable"
  case immutableFile(String)

  /// In memory, for one connection alone.
  case memory

  /// In memory, for all connections of the process that use the same name.
  case sharedMemory(String)

  /// The path of the file, absolute but for the names to which SQLite gives a meaning; `nil` in
  /// memory.
  package var path: String? {
    switch self {
    case .file(let path), .immutableFile(let path): path
    case .memory, .sharedMemory: nil
    }
  }

  /// The name that SQLite opens.
  var name: String {
    switch self {
    case .file(let path):
      // Some builds of SQLite read any name that begins with `file:` as a URI; a path is a path.
      path.utf8.prefix(5).map { $0 | 0x20 } == Array("file:".utf8) ? "./" + path : path
    case .immutableFile(let path):
      // An empty authority before an absolute path, which may itself begin with two slashes.
      (path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:") + Self.escaped(path)
        + "?immutable=1"
    case .memory: ":memory:"
    // "If the filename begins with "/" then the database is shared by all connections of the
    // process that use that name": https://www.sqlite.org/inmemorydb.html and `memdb.c`.
    case .sharedMemory(let name): "/holdfast/" + name
    }
  }

  /// Whether the name is a URI and not a path.
  var isURI: Bool {
    if case .immutableFile = self { true } else { false }
  }

  /// The path byte for byte, with an escape for whatever has a meaning in a URI: a `#` or a `?` would
  /// end the path there, and a `%` change it.
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

  /// The part of SQLite that stores it, `nil` for the usual one.
  ///
  /// Not the shared cache, whose connections fail with `SQLITE_LOCKED` at once, without waiting as
  /// the busy mode says.
  var storage: String? {
    if case .sharedMemory = self { "memdb" } else { nil }
  }
}
