import HoldfastFiles

/// The search for paths that could not lie in one folder on every volume.
enum PathCollision {
  /// Returns the first flaw of a list of paths; `nil` when there is none.
  ///
  /// Files and folders must differ in more than letter case and Unicode normalization, no file may
  /// be a folder of another, and no name may be the name of the manifest or of a file that SQLite
  /// keeps next to one of the databases.
  static func first(in paths: [PackPath]) -> String? {
    if paths.isEmpty { return "it has no file" }
    if let path = paths.first(where: { $0.folded == PackManifest.fileName }) {
      return "'\(path)' is the manifest's own name"
    }
    // A path comes right before those below it, and all paths below one folder follow each other.
    // So only neighbors are compared, and the memory does not grow with the depth.
    let ordered = paths.map { (order: order($0), path: $0) }.sorted { $0.order < $1.order }
    for (one, next) in zip(ordered, ordered.dropFirst()) {
      if let flaw = flaw(one.path, next.path) { return flaw }
    }
    let files = Set(paths.map(\.folded))
    for path in paths {
      let companion = DatabaseCompanion(named: FilePath("/" + path.folded))
      if let database = companion?.database.text.dropFirst(), files.contains(String(database)) {
        return "'\(path)' is the name of a file that SQLite keeps next to '\(database)'"
      }
    }
    return nil
  }

  /// The folded path with NUL between its names, which comes before all that a name contains.
  private static func order(_ path: PackPath) -> String {
    String(
      decoding: path.folded.utf8.map { $0 == UInt8(ascii: "/") ? 0 : $0 }, as: UTF8.self)
  }

  /// Returns why a path and the one that follows it in the order exclude each other.
  private static func flaw(_ path: PackPath, _ next: PackPath) -> String? {
    let (names, nextNames) = (path.names, next.names)
    for (index, (name, nextName)) in zip(names, nextNames).enumerated() {
      guard PackPath(unchecked: name).folded == PackPath(unchecked: nextName).folded else {
        return nil
      }
      if !name.utf8.elementsEqual(nextName.utf8) {
        return twice(prefix(nextNames, index), prefix(names, index))
      }
    }
    return names.count == nextNames.count
      ? twice(next, path) : "'\(path)' is a file and a folder"
  }

  private static func prefix(_ names: [String], _ index: Int) -> PackPath {
    PackPath(unchecked: names[...index].joined(separator: "/"))
  }

  private static func twice(_ path: PackPath, _ other: PackPath) -> String {
    path == other
      ? "it has '\(path)' twice"
      : "'\(path)' and '\(other)' are one name where letter case or normalization is ignored"
  }
}
