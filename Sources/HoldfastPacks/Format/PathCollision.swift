import HoldfastFiles

/// The search for paths that could not lie in one folder on every volume.
enum PathCollision {
  /// Returns the first flaw of a list of paths; `nil` when there is none.
  ///
  /// Files and folders must differ in more than letter case and Unicode normalization, no file may
  /// be a folder of another, and no name may be that of the manifest or of a file that SQLite keeps
  /// next to one of the databases.
  static func first(in paths: [PackPath]) -> String? {
    if paths.isEmpty { return "it has no file" }
    var spellings: [String: PackPath] = [:]
    var files: Set<String> = []
    for path in paths {
      if path.folded == PackManifest.fileName { return "'\(path)' is the manifest's own name" }
      guard files.insert(path.folded).inserted else { return twice(path, spellings[path.folded]) }
      for prefix in prefixes(of: path) {
        if let other = spellings[prefix.folded], other != prefix { return twice(prefix, other) }
        spellings[prefix.folded] = prefix
      }
    }
    for path in paths {
      for folder in prefixes(of: path).dropLast() where files.contains(folder.folded) {
        return "'\(folder)' is a file and a folder"
      }
      let companion = DatabaseCompanion(named: FilePath("/" + path.folded))
      if let database = companion?.database.text.dropFirst(), files.contains(String(database)) {
        return "'\(path)' is the name of a file that SQLite keeps next to '\(database)'"
      }
    }
    return nil
  }

  private static func twice(_ path: PackPath, _ other: PackPath?) -> String {
    let other = other ?? path
    return path == other
      ? "it has '\(path)' twice"
      : "'\(path)' and '\(other)' are one name where letter case or normalization is ignored"
  }

  /// Returns the path's folders, from the outermost, and the path itself.
  private static func prefixes(of path: PackPath) -> [PackPath] {
    let names = path.names
    return names.indices.map { PackPath(unchecked: names[...$0].joined(separator: "/")) }
  }
}
