import Holdfast

/// The location of the feed in an archive or folder, derived from the list of paths alone.
///
/// Entry names are only compared, never used as paths, so a hostile name cannot access any file.
struct FeedLayout {
  struct File: Equatable {
    /// The name as GTFS spells it, or as written if GTFS does not know it.
    var name: String
    /// The path as written in the archive or folder.
    var path: String
    /// The position in the list of paths.
    var index: Int
  }

  /// The directory of the feed; empty at the top level.
  var directory = ""
  /// The files of the feed that GTFS defines, by name.
  var files: [File] = []
  /// The files in the same directory that GTFS does not define, by name, and those in other
  /// directories, by path.
  var unknown: [String] = []
  /// Those of them that are kept as text.
  var others: [File] = []

  init(of paths: [String], in name: String) throws(FeedError) {
    let entries = paths.enumerated().compactMap { Entry(path: $1, index: $0) }
    let marked = entries.filter { FeedCatalog.marks($0.name) }.map { ExactText($0.directory) }
    let directories = Set(marked).sorted().map(\.text)
    if directories.contains("") {
      directory = ""
    } else if directories.count == 1 {
      directory = directories[0]
    } else if directories.count > 1 {
      throw .severalFeeds(directories, in: name)
    } else {
      let archives = entries.filter { $0.name.lowercased().hasSuffix(".zip") }.map(\.path)
      guard archives.isEmpty else { throw .archivesInsideArchive(archives, in: name) }
      throw entries.isEmpty ? .emptyArchive(name) : .noFeed(in: name)
    }
    unknown = entries.filter { !$0.directory.hasSameBytes(as: directory) }.map(\.path)
    try collect(entries.filter { $0.directory.hasSameBytes(as: directory) }, in: name)
  }

  private mutating func collect(_ entries: [Entry], in name: String) throws(FeedError) {
    var seen: [String: String] = [:]
    for entry in entries {
      guard let known = FeedCatalog.known(entry.name) else {
        unknown.append(entry.name)
        if FeedCatalog.isText(entry.name) {
          others.append(File(name: entry.name, path: entry.path, index: entry.index))
        }
        continue
      }
      if let other = seen[known] { throw .sameNameTwice([other, entry.path], in: name) }
      seen[known] = entry.path
      files.append(File(name: known, path: entry.path, index: entry.index))
    }
    files.sort { $0.name < $1.name }
    unknown.sort { ExactText($0) < ExactText($1) }
    others.sort {
      (ExactText($0.name), ExactText($0.path)) < (ExactText($1.name), ExactText($1.path))
    }
  }

  /// A path split into directory and name; `nil` for directories and for files that operating
  /// systems add to archives.
  private struct Entry {
    var path: String
    var directory: String
    var name: String
    var index: Int

    /// The largest length of a path; no system supports longer ones, and messages must not show
    /// them.
    private static let longestPath = 1024

    init?(path: String, index: Int) {
      if path.utf8.count > Self.longestPath { return nil }
      // Archives created on Windows may use backslashes. Scalars, because a slash and an accent
      // after it are one `Character`.
      let components = path.unicodeScalars
        .split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map { String($0) }
      guard let last = components.last, !last.isEmpty else { return nil }
      let directories = components.dropLast().filter { !$0.isEmpty && $0 != "." }
      let isJunk = (directories + [last]).contains {
        $0 == "__MACOSX" || ($0.hasPrefix(".") && $0 != "..")
      }
      if isJunk { return nil }
      self.path = path
      self.index = index
      directory = directories.joined(separator: "/")
      name = String(last)
    }
  }
}
