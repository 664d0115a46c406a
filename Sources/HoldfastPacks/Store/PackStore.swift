import Dispatch
public import Foundation
import Holdfast
package import HoldfastFiles

/// A store of packs that are installed in an app's container: verified, switched in one step,
/// rolled back.
///
/// ```swift
/// let store = PackStore(try PackName("guide"))
/// let map = try PackName("map")
/// let report = try await store.install(map, from: .bundle(mapURL))   // at each launch
/// if let lease = try store.hold(map) {
///   show(lease.generation.url(ofFileAt: "map.mbtiles"))              // while the lease lives
/// }
/// ```
///
/// The pack `map` lies in `<application support>/<store>/map`: each version in a folder of its own,
/// whose files are never modified, and a small file `current` that names one of them. A new version
/// is copied next to the present one, verified and made durable before `current` is switched; a
/// process that has a file of the old one open keeps reading it. Several processes may use one store.
///
/// - Important: In an app group, release the lock of an installation before the app is suspended:
///   ``endLocksOnSuspension(of:)``, or ``suspend()`` and ``resume()``.
public final class PackStore: Sendable {
  /// The name of the store's folder, as it is spelled.
  ///
  /// On a volume that distinguishes letter case, another spelling is another store.
  public let name: PackName

  /// The location and the rules of the store.
  public let configuration: Configuration

  let suspension = StoreSuspension()
  private let unrecorded = UnrecordedLeases()

  // Blocking work must not occupy the threads of tasks.
  let queue = DispatchQueue(
    label: "holdfast.packs", qos: .userInitiated, attributes: .concurrent)

  /// Creates a store, without reading or creating anything.
  ///
  /// - Parameters:
  ///   - name: The name of the store's folder, always in the same letter case.
  ///   - configuration: The location and the rules of the store.
  public init(_ name: PackName, configuration: Configuration = Configuration()) {
    self.name = name
    self.configuration = configuration
    if configuration.suspendsOnBackgroundTimeExpiration { suspension.followScheduler() }
  }

  // MARK: Places

  /// Returns the folder of a pack, which may not exist yet.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: A file URL.
  /// - Throws: `FileError` when the container has no such folder.
  public func url(of pack: PackName) throws -> URL {
    try folder(of: pack).path.url
  }

  /// The path of a pack's folder in the container.
  package func path(of pack: PackName) throws(FileError) -> RelocatablePath {
    let edition = configuration.edition.map { [$0.description] } ?? []
    return try RelocatablePath(
      configuration.root,
      components: [name.description] + edition + [configuration.layout.folder(of: pack)])
  }

  package func folder(of pack: PackName) throws(FileError) -> PackFolder {
    PackFolder(try FilePath(of: configuration.container.url(for: path(of: pack))))
  }

  // MARK: Generations

  /// Returns the current generation of a pack; `nil` when none is installed.
  ///
  /// Its files are not read. Hold it with ``hold(_:)`` while you use its files.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: The generation that the file `current` names.
  /// - Throws: ``PackError`` with `.damaged` when the generation's manifest is missing or damaged,
  ///   `.newerFormat`; `FileError` when the folder cannot be read.
  public func current(_ pack: PackName) throws -> Generation? {
    let folder = try folder(of: pack)
    return try reading(currentFileOf: folder) { try generation($0.generation, of: folder, $0) }
  }

  /// Returns the generation that was current before; `nil` when there is none in the folder.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: The generation, of which only the manifest was read.
  /// - Throws: The errors of ``current(_:)``.
  public func previous(_ pack: PackName) throws -> Generation? {
    let folder = try folder(of: pack)
    return try reading(currentFileOf: folder) { file in
      try file.previous.map { try generation($0, of: folder, file) }
    }
  }

  /// Returns the generations of a pack with a readable manifest, the newest version last.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: The generations, also those that a clean-up would remove.
  /// - Throws: `FileError` when the folder cannot be read.
  public func installedGenerations(of pack: PackName) throws -> [Generation] {
    let folder = try folder(of: pack)
    let file = try CurrentFile.content(of: folder).file
    let names = try folder.entries().filter { $0.entry == .generation }.map(\.name)
    // A generation without a readable manifest is cleaned up.
    return names.compactMap { try? generation($0, of: folder, file) }
      // Two packs can share a folder one after the other.
      .filter { $0.manifest.name == pack }
      .sorted { ($0.manifest.version, $0.name) < ($1.manifest.version, $1.name) }
  }

  /// Keeps the current generation in its folder while the returned value lives.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: The current generation with a lease; `nil` when none is installed.
  /// - Throws: The errors of ``current(_:)``.
  public func hold(_ pack: PackName) throws -> GenerationLease? {
    let folder = try folder(of: pack)
    while let generation = try current(pack) {
      unrecorded.recordAgain()
      let lease = GenerationLease(generation, in: folder.leases, for: configuration.role)
      unrecorded.add(lease)
      // If the generation is still current, no clean-up was removing it when the lease was
      // recorded: a clean-up reads the leases only after another generation has become current.
      if try currentFile(of: folder)?.generation == generation.name { return lease }
    }
    return nil
  }

  /// Tries to record the leases of this store that could not be recorded, as on a full disk.
  ///
  /// A pool of ``open(_:of:configuration:)``, a source and a style have a lease too, which other
  /// processes do not see until it is recorded. It is also tried each time the store holds a
  /// generation.
  ///
  /// - Returns: The leases that still are not recorded; see ``GenerationLease/problem``.
  @discardableResult public func recordLeases() -> [GenerationLease] {
    unrecorded.recordAgain()
  }

  /// Reads what the file `current` names, again if the file changes meanwhile: a clean-up removes generations that no
  /// file names any more.
  package func reading<Value>(
    currentFileOf folder: PackFolder, _ body: (CurrentFile) throws -> Value?
  ) throws -> Value? {
    var file = try currentFile(of: folder)
    while let read = file {
      do { return try body(read) } catch {
        file = try currentFile(of: folder)
        if file == read { throw error }
      }
    }
    return nil
  }

  func currentFile(of folder: PackFolder) throws -> CurrentFile? {
    switch try CurrentFile.content(of: folder) {
    case .none: return nil
    case .known(let file): return file
    case .unreadable: throw PackError.unreadableCurrent(folder.current)
    case .foreign: throw PackError.foreignCurrent(folder.current)
    case .newerFormat(let format): throw PackError.newerCurrent(folder.current, format)
    }
  }

  func generation(
    _ name: String, of folder: PackFolder, _ file: CurrentFile?
  ) throws -> Generation {
    let path = folder.generation(name)
    do {
      return Generation(
        name: name, manifest: try PackManifest(of: path), origin: file?.origin(of: name) ?? .bundle,
        folder: path)
    } catch let error as PackError {
      throw PackError.unusableGeneration(name, error, path)
    }
  }
}
