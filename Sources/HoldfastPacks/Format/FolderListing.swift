import HoldfastFiles

/// The files and folders below a folder.
struct FolderListing {
  struct Entry: Hashable {
    /// The path below the folder, byte for byte.
    var path: String
    var kind: FileStatus.Kind
  }

  /// The entries, ordered by the bytes of their paths.
  private(set) var entries: [Entry] = []

  /// Lists a folder; symbolic links are listed and not followed.
  ///
  /// - Throws: `FileError` when a folder cannot be listed, or a name is not valid UTF-8.
  init(of folder: FilePath) throws(FileError) {
    var folders: [[String]] = [[]]
    while let names = folders.popLast() {
      for (name, kind) in try Self.entries(of: folder.appending(names)) {
        let inner = names + [name]
        entries.append(Entry(path: inner.joined(separator: "/"), kind: kind))
        if kind == .directory { folders.append(inner) }
      }
    }
    entries.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func entries(
    of folder: FilePath
  ) throws(FileError) -> [(name: String, kind: FileStatus.Kind)] {
    do throws(Errno) {
      var directory = try OpenDirectory(folder.text)
      var entries: [(String, FileStatus.Kind)] = []
      while let entry = try directory.next() {
        guard let name = entry.name else { throw .illegalBytes }
        let kind =
          if let kind = entry.kind { kind } else {
            try SystemCalls.linkStatus(of: folder.appending([name]).text).kind
          }
        entries.append((name, kind))
      }
      return entries
    } catch {
      throw .couldNotRead(folder, error)
    }
  }
}
