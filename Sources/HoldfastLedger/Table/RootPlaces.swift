import HoldfastFiles

/// The folders of a container's roots as they are now, determined once for many paths.
struct RootPlaces: Sendable {
  let container: Container
  private let folders: [(root: StorageRoot, folder: FilePath)]

  init(_ container: Container) {
    self.container = container
    let roots = StorageRoot.fixed + container.appGroups.map(StorageRoot.appGroup)
    folders = roots.flatMap { root -> [(root: StorageRoot, folder: FilePath)] in
      // A root that the system does not know contains nothing.
      guard let url = try? container.url(for: root), let folder = try? FilePath(of: url) else {
        return []
      }
      // The same folder without symbolic links, such as `/private/var` for `/var`.
      let real = try? folder.resolved()
      return [(root, folder)] + (real.map { [(root, $0)] } ?? [])
    }
  }

  /// Returns the path below the innermost root that contains a file; symbolic links below the root
  /// are not followed.
  func path(of place: FilePath) -> RelocatablePath? {
    let names = place.names
    var best: (root: StorageRoot, names: [String])?
    for (root, folder) in folders {
      guard let rest = place.names(below: folder), rest.count < best?.names.count ?? names.count
      else { continue }
      best = (root, rest)
    }
    // An illegal name is refused with a reason by the reader of legacy forms.
    return best.flatMap { try? RelocatablePath($0.root, components: $0.names) }
  }
}
