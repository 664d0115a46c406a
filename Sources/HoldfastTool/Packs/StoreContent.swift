import Foundation
import HoldfastFiles
import HoldfastPacks

/// The packs in a store, of all editions or of one.
struct StoreContent {
  struct Pack {
    /// The name in the manifests, which may differ from the name of the folder.
    var name: PackName
    /// The store with the pack's edition, and with the folder and the links that the pack has.
    var store: PackStore
    var folder: PackFolder

    var edition: PackEdition? { store.configuration.edition }
  }

  /// The packs, ordered by their editions and folders.
  private(set) var packs: [Pack] = []

  /// Lists a store.
  ///
  /// - Parameter store: The store; without an edition, the packs of all editions are listed too.
  /// - Throws: `FileError` when the container has no such folder, or one cannot be read.
  init(of store: PackStore) throws {
    let root = try store.configuration.container.url(for: store.configuration.root)
      .appending(path: store.name.description, directoryHint: .isDirectory)
    if let edition = store.configuration.edition {
      try add(in: root.appending(path: edition.description), store)
      return
    }
    for name in try add(in: root, store) {
      // A name that is no edition belongs to something else of the app's.
      guard let edition = try? PackEdition(name) else { continue }
      var configuration = store.configuration
      configuration.edition = edition
      try add(
        in: root.appending(path: name), PackStore(store.name, configuration: configuration))
    }
  }

  /// Adds the packs of a folder, and returns the names of its other folders.
  @discardableResult
  private mutating func add(in folder: URL, _ store: PackStore) throws -> [String] {
    var others: [String] = []
    for name in Self.names(in: folder) {
      let packFolder = PackFolder(try FilePath(of: folder.appending(path: name)))
      if let pack = Self.pack(in: packFolder) {
        var configuration = store.configuration
        configuration.layout = try .found(for: pack, in: packFolder)
        packs.append(
          Pack(
            name: pack, store: PackStore(store.name, configuration: configuration),
            folder: packFolder))
      } else {
        others.append(name)
      }
    }
    return others
  }

  /// Returns the name of the pack in a folder; `nil` when the folder is not a pack's.
  private static func pack(in folder: PackFolder) -> PackName? {
    // No layout gives a folder another kind of name.
    guard let folderName = try? PackName(folder.path.name) else { return nil }
    let names = Self.names(in: folder.path.url)
    let generations = names.filter { PackFolder.Entry($0) == .generation }
    guard !generations.isEmpty || names.contains(folder.current.name) else { return nil }
    // A manifest that cannot be read names no pack; the folder's name is the next best.
    let manifests = generations.lazy.compactMap { try? PackManifest(of: folder.generation($0)) }
    return manifests.first?.name ?? folderName
  }

  private static func names(in folder: URL) -> [String] {
    // A file contains no pack, and neither does a folder that does not exist.
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension PackStore {
  /// Returns this store with the folder and the links that a pack has in the container.
  ///
  /// - Parameters:
  ///   - pack: The name of the pack.
  ///   - isNew: Whether the pack may be absent, because it is about to be installed.
  /// - Returns: The store; itself when no edition has the pack.
  /// - Throws: ``ToolError`` when several folders contain the pack, or only other editions have it;
  ///   `FileError` when a folder cannot be read.
  func asFound(for pack: PackName, new isNew: Bool = false) throws -> PackStore {
    let found = try StoreContent(of: self).packs.filter { $0.name == pack }
    let here = found.filter { $0.edition == configuration.edition }
    guard here.count < 2 else {
      throw ToolError.severalFolders(pack, here.map(\.folder.path.name))
    }
    if let only = here.first { return only.store }
    guard isNew || found.isEmpty else {
      throw ToolError.onlyInEditions(pack, found.compactMap { $0.edition?.description })
    }
    return self
  }
}
