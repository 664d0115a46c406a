/// Where a database lies.
package enum DatabaseLocation: Sendable {
  /// In a file, by its path.
  case file(String)

  /// In memory, for one connection alone.
  case memory

  /// In memory, for all connections of the process that use the same name.
  case sharedMemory(String)

  /// The path of the file as it was given, `nil` in memory.
  package var path: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// The name that SQLite opens.
  var name: String {
    switch self {
    case .file(let path):
      // Some builds of SQLite read any name that begins with `file:` as a URI; a path is a path.
      path.lowercased().hasPrefix("file:") ? "./" + path : path
    case .memory: ":memory:"
    // "If the filename begins with "/" then the database is shared by all connections of the
    // process that use that name": https://www.sqlite.org/inmemorydb.html and `memdb.c`.
    case .sharedMemory(let name): "/holdfast/" + name
    }
  }

  /// The part of SQLite that stores it, `nil` for the usual one.
  ///
  /// Not the shared cache, whose connections fail with `SQLITE_LOCKED` at once, without waiting as
  /// the busy mode says.
  var storage: String? {
    if case .sharedMemory = self { "memdb" } else { nil }
  }
}
