import Foundation
import HoldfastFiles
import HoldfastPacks

/// The packs in a store, of all editions or of one.
struct StoreContent {
  struct Pack {
    var name: PackName
    /// The store with the pack's edition.
    var store: PackStore

    var edition: PackEdition? { store.configuration.edition }
  }

  /// The packs, ordered by their editions and names.
  private(set) var packs: [Pack] = []

  /// Lists a store.
  ///
  /// - Parameter store: The store; without an edition, the packs of all editions are listed too.
  /// - Throws: `FileError` when the container has no such folder.
  init(of store: PackStore) throws {
    let root = try store.configuration.container.url(for: store.configuration.root)
      .appending(path: store.name.description, directoryHint: .isDirectory)
    if let edition = store.configuration.edition {
      add(in: root.appending(path: edition.description), store)
      return
    }
    for name in add(in: root, store) {
      // What is no edition is something else of the app's.
      guard let edition = try? PackEdition(name) else { continue }
      var configuration = store.configuration
      configuration.edition = edition
      add(
        in: root.appending(path: name), PackStore(store.name, configuration: configuration))
    }
  }

  /// Adds the packs of a folder, and returns the names of its other folders.
  @discardableResult
  private mutating func add(in folder: URL, _ store: PackStore) -> [String] {
    var others: [String] = []
    for name in Self.names(in: folder) {
      let isPack = Self.names(in: folder.appending(path: name)).contains { entry in
        entry == "current" || PackFolder.Entry(entry) == .generation
      }
      // A folder with another name is not a pack's.
      if isPack, let pack = try? PackName(name) {
        packs.append(Pack(name: pack, store: store))
      } else {
        others.append(name)
      }
    }
    return others
  }

  private static func names(in folder: URL) -> [String] {
    // A file contains no pack, and neither does a folder that does not exist.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
