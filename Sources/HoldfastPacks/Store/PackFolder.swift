package import HoldfastFiles

/// The folder of one pack in a store, and the names in it.
package struct PackFolder: Hashable, Sendable {
  package let path: FilePath

  package init(_ path: FilePath) {
    self.path = path
  }

  /// The generations in the folder.
  package var generations: GenerationFolder { GenerationFolder(path) }

  /// The file that names the current generation.
  package var current: FilePath { generations.current }

  /// The file that remembers which files were verified.
  package var verified: FilePath { path.appending(["verified"]) }

  /// The file that is locked while the folder changes.
  package var lock: FilePath { path.appending([".lock"]) }

  /// The folder of the databases that belong to the user.
  package var seeded: FilePath { path.appending(["seeded"]) }

  package var leases: LeaseFolder { generations.leases }

  /// The folder of the styles that were written for generations.
  package var styles: FilePath { path.appending(["styles"]) }

  package func generation(_ name: String) -> FilePath { path.appending([name]) }

  package func styles(of generation: String) -> FilePath { styles.appending([generation]) }

  /// The meaning of a name in the folder.
  package enum Entry: Hashable, Sendable {
    /// A generation.
    case generation
    /// A generation that is being copied, or was when a process ended.
    case staging
    /// A generation that is being removed, or was when a process ended.
    case removal
    /// A file next to one that was being replaced when a process ended.
    case leftover
    /// Another file or folder of the store.
    case own
    /// A file of the app, or of the user.
    case foreign

    package init(_ name: String) {
      if GenerationName(name) != nil {
        self = .generation
      } else if name.utf8.starts(with: PackFolder.stagingMark.utf8) {
        self = .staging
      } else if name.utf8.starts(with: PackFolder.removalMark.utf8) {
        self = .removal
      } else if GenerationFolder.leftoverNames.contains(name.lowercased()) {
        self = .leftover
      } else if PackFolder.ownNames.contains(name.lowercased()) {
        self = .own
      } else {
        self = .foreign
      }
    }
  }

  private static let stagingMark = ".installing-"
  private static let removalMark = ".removing-"

  private static let ownNames: Set<String> = [
    "current", "verified", ".lock", "seeded", "leases", "styles", "pack.json",
  ]

  /// Returns whether the text of a symbolic link leads to a file of a generation, as the store
  /// writes it.
  func isLinkText(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard let first = names.first, names.count > 1 else { return false }
    if GenerationName(first) != nil { return true }
    return first == styles.name && names.count == 3 && GenerationName(names[1]) != nil
  }

  /// Returns the path of a generation that is being copied.
  ///
  /// It has a name of its own, because a process that has lost the lock may still write there.
  package func staging(_ generation: String) -> FilePath {
    path.appending([Self.stagingMark + generation + "~" + Self.unique()])
  }

  /// Returns the path of a generation that is being removed.
  package func removal(_ generation: String) -> FilePath {
    path.appending([Self.removalMark + generation + "~" + Self.unique()])
  }

  private static func unique() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 36)
  }

  private func isFolder(_ entry: DirectoryEntry, _ name: String) throws(Errno) -> Bool {
    if let kind = entry.kind { return kind == .directory }
    return try SystemCalls.linkStatus(of: generation(name).text).kind == .directory
  }

  /// Returns whether the folder exists.
  func exists() throws(FileError) -> Bool {
    do throws(Errno) {
      return try SystemCalls.status(of: path.text).kind == .directory
    } catch .notFound, .notDirectory {
      return false
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Makes the names in the folder durable after one of them was changed.
  func sync() throws(FileError) {
    do throws(Errno) {
      try SystemCalls.syncDirectory(path.text)
    } catch {
      throw .notDurable(path, error)
    }
  }

  /// Returns the names in the folder with their meanings; none when there is no folder.
  package func entries() throws(FileError) -> [(name: String, entry: Entry)] {
    do throws(Errno) {
      var entries: [(name: String, entry: Entry)] = []
      var directory = try OpenDirectory(path.text)
      while let entry = try directory.next() {
        // A name that is not UTF-8 is none of the store's.
        guard let name = entry.name else { continue }
        var meaning = Entry(name)
        // A file with the name of a generation is the user's.
        if meaning == .generation, try !isFolder(entry, name) { meaning = .foreign }
        entries.append((name, meaning))
      }
      return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    } catch .notFound {
      return []
    } catch {
      throw .couldNotRead(path, error)
    }
  }
}
