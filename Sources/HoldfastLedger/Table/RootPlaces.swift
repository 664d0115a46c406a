import HoldfastFiles

/// The folders of a container's roots, determined once, when the first absolute path is read.
final class RootPlaces {
  let container: Container
  private lazy var folders = Self.folders(of: container)

  init(_ container: Container) {
    self.container = container
  }

  private static func folders(
    of container: Container
  ) -> [(root: StorageRoot, names: [String])] {
    let roots = StorageRoot.fixed + container.appGroups.map(StorageRoot.appGroup)
    return roots.flatMap { root -> [(root: StorageRoot, names: [String])] in
      // A root that the system does not know contains nothing.
      guard let url = try? container.url(for: root), let folder = try? FilePath(of: url) else {
        return []
      }
      // The same folder without symbolic links, such as `/private/var` for `/var`.
      let real = try? folder.resolved()
      return ([folder] + (real.map { [$0] } ?? [])).map { (root, $0.names) }
    }
  }

  /// Returns the path below the innermost root that contains a file; symbolic links below the root
  /// are not followed.
  func path(of place: FilePath) -> RelocatablePath? {
    let names = place.names
    var best: (root: StorageRoot, names: [String])?
    for folder in folders where folder.names.count > best?.names.count ?? 0 {
      guard FilePath.isInside(names, folder.names) else { continue }
      best = folder
    }
    // An illegal name is refused with a reason by the reader of legacy forms.
    return best.flatMap { best in
      try? RelocatablePath(best.root, components: Array(names.dropFirst(best.names.count)))
    }
  }
}
