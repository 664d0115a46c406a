public import Foundation

/// An app's container, which maps storage roots to their current folders.
///
/// ```swift
/// let url = try Container.current.url(for: RelocatablePath(text: row["path"]))
/// ```
///
/// A container at a folder has the layout of one copied from a device: `Documents`,
/// `Library/Caches`, `Library/Application Support` and `tmp`. In addition it has `Bundle` for the
/// app's bundle and `Shared/AppGroup/<identifier>` for the app groups, which no copy contains. A copy
/// that Xcode has made, whose name ends with `.xcappdata`, has them in its folder `AppData`.
public struct Container: Hashable, Sendable {
  private enum Location: Hashable {
    case system
    case folder(URL)
  }

  private let location: Location

  /// The identifiers of the app groups that ``relocatablePath(for:)`` searches too.
  public var appGroups: [String]

  /// The container of this process.
  ///
  /// On Apple platforms the folders are the system's. On Linux they are the XDG folders, the
  /// system's temporary folder and the folder of the executable; app groups are folders in
  /// `AppGroups` in the data folder.
  public static let current = Container(location: .system, appGroups: [])

  /// Creates a container at a folder.
  ///
  /// - Parameters:
  ///   - url: The folder, or one that ends with `.xcappdata`; it and its roots need not exist.
  ///   - appGroups: See ``appGroups``.
  public init(at url: URL, appGroups: [String] = []) {
    self.init(location: .folder(url), appGroups: appGroups)
  }

  private init(location: Location, appGroups: [String]) {
    self.location = location
    self.appGroups = appGroups
  }

  /// Returns the folder of a root, which may not exist yet.
  ///
  /// - Parameter root: The root.
  /// - Returns: A file URL.
  /// - Throws: ``FileError`` with `.invalidPath` when the identifier of a group is not legal,
  ///   `.notFound` when the system knows no such folder, as for a group without entitlement.
  public func url(for root: StorageRoot) throws(FileError) -> URL {
    try folder(of: root).url
  }

  /// Returns the location of a file or a folder, which may not exist.
  ///
  /// No symbolic link that exists at the time of the call leads out of the root. A link created
  /// later is not noticed: processes that can write into the container are trusted.
  ///
  /// - Parameter path: The file or the folder.
  /// - Returns: A file URL with the names exactly as in `path`.
  /// - Throws: ``FileError`` with `.outsideRoot` when a symbolic link leads out of the root or has
  ///   no target; `.accessDenied` when this cannot be checked; and as for the root alone.
  public func url(for path: RelocatablePath) throws(FileError) -> URL {
    let root = try folder(of: path.root)
    try refuseEscape(of: path, from: root)
    return root.appending(path.components).url
  }

  /// Returns the path that stays valid when this container moves.
  ///
  /// `/var` and `/private/var`, and any other two paths to one folder, are the same.
  ///
  /// - Parameter url: A file or a folder, which need not exist.
  /// - Returns: The path below the innermost root that contains it.
  /// - Throws: ``FileError`` with `.outsideRoot` when no root contains it, with symbolic links
  ///   resolved; `.invalidPath` when the URL is not a file URL or its names are not valid UTF-8.
  public func relocatablePath(for url: URL) throws(FileError) -> RelocatablePath {
    let path = try FilePath(of: url)
    let roots = StorageRoot.fixed + appGroups.map(StorageRoot.appGroup)
    var folders: [(root: StorageRoot, folder: FilePath)] = []
    for root in roots {
      // A root that the system does not know contains nothing.
      guard let folder = try? folder(of: root) else { continue }
      folders.append((root, folder))
      folders.append((root, Self.resolved(folder)))
    }
    // As written first, so that a link inside a root keeps its own name.
    for spelling in [path, Self.resolved(path)] {
      let matches = folders.compactMap { root, folder in
        spelling.names(below: folder).map { (root: root, names: $0) }
      }
      if let match = matches.min(by: { $0.names.count < $1.names.count }),
        // A path that is illegal or that leads out of its root is not relocatable.
        let path = try? RelocatablePath(match.root, components: match.names),
        (try? self.url(for: path)) != nil
      {
        return path
      }
    }
    throw .inNoRoot(path)
  }

  /// Creates a folder and its missing parents, durably.
  ///
  /// - Parameter path: The folder; one that exists stays as it is.
  /// - Returns: Its URL.
  /// - Throws: ``FileError`` with `.outsideRoot` when a symbolic link leads out of the root;
  ///   `.accessDenied`, `.readOnly`, `.noSpace`; `.inputOutput`, also when a file has the name.
  @discardableResult
  public func createDirectory(at path: RelocatablePath) throws(FileError) -> URL {
    let url = try url(for: path)
    try FilePath(of: url).createDirectory()
    return url
  }

  /// Makes the names durable that lead to a folder, from the root's name on, whichever process has
  /// created them.
  ///
  /// ``createDirectory(at:)`` does so for the folders that it creates itself. Another process may
  /// have ended between the creation of a folder and its sync.
  ///
  /// - Parameter path: A folder that exists.
  /// - Throws: ``FileError`` when a folder cannot be synced.
  package func syncNames(of path: RelocatablePath) throws(FileError) {
    let root = try folder(of: path.root)
    let parents = path.components.indices.map { count in
      root.appending(Array(path.components.prefix(count)))
    }
    do throws(Errno) {
      do throws(Errno) {
        try SystemCalls.syncDirectory(root.directory.text)
      } catch .accessDenied, .notPermitted, .readOnlyVolume, .invalidArgument {
        // The root was created where this process may create nothing, or it is a volume of its own
        // below one that is read-only or that cannot be synced: its name is none of this library's.
      }
      for parent in parents { try SystemCalls.syncDirectory(parent.text) }
    } catch {
      throw .couldNotMakeDirectory(root.appending(path.components), error)
    }
  }

  /// Returns whether a folder of this name is a copy that Xcode has made of a container.
  static func isCopy(_ name: String) -> Bool {
    name.utf8.count > ".xcappdata".utf8.count && name.lowercased().hasSuffix(".xcappdata")
  }

  func folder(of root: StorageRoot) throws(FileError) -> FilePath {
    guard root.isLegal else {
      throw .illegalPath(root.description, .groupIdentifier(root.tag))
    }
    switch location {
    case .system: return try SystemFolders.folder(of: root)
    case .folder(let url):
      let folder = try FilePath(of: url)
      return folder.appending((Self.isCopy(folder.name) ? ["AppData"] : []) + root.folder)
    }
  }

  private func refuseEscape(of path: RelocatablePath, from root: FilePath) throws(FileError) {
    for count in (0...path.components.count).reversed() {
      let inner = root.appending(Array(path.components.prefix(count)))
      do throws(Errno) {
        _ = try SystemCalls.linkStatus(of: inner.text)
      } catch .notFound, .notDirectory {
        // Not asked for again: another process may create it at this moment.
        continue
      } catch .tooManyLinks {
        throw .escape(path)
      } catch {
        throw .couldNotResolve(path, error)
      }
      do throws(Errno) {
        let real = FilePath(try SystemCalls.realPath(inner.text))
        let realRoot = FilePath(try SystemCalls.realPath(root.text))
        if real.names(below: realRoot) != nil { return }
      } catch .notFound where (try? SystemCalls.linkStatus(of: inner.text))?.kind != .symbolicLink {
        // The component was removed meanwhile. A link without a target is refused below.
        continue
      } catch .notDirectory {
        continue
      } catch .notFound, .tooManyLinks {
        throw .escape(path)
      } catch {
        throw .couldNotResolve(path, error)
      }
      throw .escape(path)
    }
  }

  /// Returns the path with symbolic links resolved as far as it exists.
  private static func resolved(_ path: FilePath) -> FilePath {
    var missing: [String] = []
    var existing = path
    while existing.text != "/" {
      // What does not exist yet has no real path, but its folder may.
      if let real = try? SystemCalls.realPath(existing.text) {
        return FilePath(real).appending(missing)
      }
      missing.insert(existing.name, at: 0)
      existing = existing.directory
    }
    return path
  }
}
