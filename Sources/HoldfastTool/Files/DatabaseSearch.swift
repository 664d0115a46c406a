import HoldfastFiles

/// The search for the databases of a container, by their first bytes.
///
/// Symbolic links are not followed.
struct DatabaseSearch {
  /// The databases, in the order of their paths.
  private(set) var databases: [FilePath] = []

  /// The number of folders and files that could not be read.
  private(set) var unreadableCount = 0

  init(in folder: FilePath) {
    var folders = [folder]
    while let folder = folders.popLast() {
      do throws(Errno) {
        var entries = try OpenDirectory(folder.text, followsLink: false)
        while let entry = try entries.next() {
          guard let name = entry.name else {
            unreadableCount += 1
            continue
          }
          if let inner = visit(folder.appending([name])) { folders.append(inner) }
        }
      } catch {
        unreadableCount += 1
      }
    }
    databases.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
  }

  /// Notes a database, or returns the folder that is to be read later.
  private mutating func visit(_ path: FilePath) -> FilePath? {
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: path.text)
      switch status.kind {
      case .directory: return path
      case .regular where status.byteCount > 0:
        let file = try SystemCalls.openFile(path.text, for: .readPlain)
        let start = try SystemCalls.readBytes(file, at: 0, count: FileStart.byteCount)
        let content = FileStart(start)
        if content.content == .database || content.mayBeDecrypted(path.text) {
          databases.append(path)
        }
      case .regular, .symbolicLink, .other: break
      }
    } catch {
      unreadableCount += 1
    }
    return nil
  }
}
