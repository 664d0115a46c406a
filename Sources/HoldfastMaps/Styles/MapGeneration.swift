import HoldfastFiles
import HoldfastPacks
import Synchronization

/// The generation of a pack whose tileset a style names.
struct MapGeneration: Sendable {
  /// The generations of which a path was given to a renderer.
  ///
  /// MapLibre keeps its connection to a path for the life of the process, so that no shorter lease
  /// would do.
  private static let handedOver = Mutex<[FilePath: GenerationLease]>([:])

  let lease: GenerationLease
  let store: PackStore
  let pack: PackName

  /// Keeps the generation's files where they are until the process ends.
  func holdUntilTheProcessEnds() {
    let folder = lease.generation.folder
    // Released after the lock, because releasing a lease works on files.
    let old = Self.handedOver.withLock { leases in
      let old = leases[folder]
      leases[folder] = lease
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Lets the fixed names of the layout lead to the documents.
  ///
  /// - Returns: The files that have such a name and were left, and why links were not switched.
  func didWrite() -> (keptFiles: [InstallReport.KeptFile], problem: String?) {
    // The documents are usable without the names.
    do {
      return (try store.refreshLinks(of: pack), nil)
    } catch {
      Log.report(.error, .maps, "The links of '\(pack)' were not switched: \(Log.kind(of: error))")
      return ([], "\(error)")
    }
  }
}
