import HoldfastFiles

/// The removal of a folder with everything in it; symbolic links are not followed.
enum FolderRemoval {
  /// Removes a folder or a file; what does not exist is removed already.
  static func remove(_ path: FilePath) throws(FileError) {
    do throws(Errno) {
      try remove(path.text)
    } catch {
      throw .couldNotRemove(path, error)
    }
  }

  private static func remove(_ path: String) throws(Errno) {
    do throws(Errno) {
      guard try SystemCalls.linkStatus(of: path).kind == .directory else {
        return try SystemCalls.remove(path)
      }
      // What another process creates or removes meanwhile is seen at the next attempt.
      for _ in 1...8 {
        for name in try names(in: path) { try remove(path + "/" + name) }
        do throws(Errno) {
          return try SystemCalls.removeDirectory(path)
        } catch .notEmpty {
          continue
        }
      }
      throw .notEmpty
    } catch .notFound {
      return
    }
  }

  private static func names(in path: String) throws(Errno) -> [String] {
    var names: [String] = []
    var folder = try OpenDirectory(path, followsLink: false)
    while let entry = try folder.next() {
      guard let name = entry.name else { throw .illegalBytes }
      names.append(name)
    }
    return names
  }
}
