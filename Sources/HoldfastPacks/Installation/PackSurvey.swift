import HoldfastFiles

/// The known content of a pack's folder.
struct PackSurvey {
  let folder: PackFolder
  let content: CurrentFile.Content
  private(set) var generations: [Member] = []

  /// A generation in the folder, or the current one that should be there.
  struct Member {
    var name: String
    /// The manifest; `nil` when it is missing or damaged.
    var manifest: PackManifest?
    var state: GenerationState
  }

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder of the pack.
  ///   - isComplete: Whether all generations are examined, and not only the current one.
  ///   - known: The states of generations that were verified during this installation.
  /// - Throws: ``PackError`` with `.newerFormat`; `FileError` when the folder cannot be read.
  init(
    of folder: PackFolder, complete isComplete: Bool,
    known: [String: GenerationState] = [:]
  ) throws {
    self.folder = folder
    content = try CurrentFile.content(of: folder)
    if case .newerFormat(let format) = content {
      throw PackError.newerCurrent(folder.current, format)
    }
    var names =
      isComplete ? try folder.entries().filter { $0.entry == .generation }.map(\.name) : []
    if let current = content.file?.generation, !names.contains(current) { names.append(current) }
    guard !names.isEmpty else { return }
    let memory = VerificationMemory(folder.verified)
    for name in names {
      let path = folder.generation(name)
      do {
        let manifest = try PackManifest(of: path)
        generations.append(
          Member(
            name: name, manifest: manifest,
            state: known[name] ?? memory.state(of: manifest, named: name, in: path)))
      } catch is PackError {
        // Without a manifest, nothing is known of the files.
        generations.append(Member(name: name, manifest: nil, state: .damaged))
      }
    }
  }

  var current: CurrentFile? { content.file }

  /// Refuses to replace a file `current` that is not the store's: what the store writes is a plain
  /// file, with a generation next to it.
  func refuseForeignFile() throws(PackError) {
    if content == .foreign || content == .unreadable && generations.isEmpty {
      throw .foreignCurrent(folder.current)
    }
  }

  func member(_ name: String) -> Member? { generations.first { $0.name == name } }

  /// Returns the input of the decision about a pack.
  ///
  /// A generation without a manifest is taken for one of the pack.
  ///
  /// - Throws: `FileError` when the leases of another pack's generations cannot be read.
  func installed(_ pack: PackName) throws(FileError) -> InstalledPack {
    let own = generations.filter { $0.manifest.map { $0.name == pack } ?? true }
    var installed = InstalledPack(
      generations: own.compactMap(\.installed), current: current?.generation,
      origin: current.map { $0.origin(of: $0.generation) } ?? .bundle,
      previous: current?.previous, dismissed: current?.dismissed ?? DismissedPacks())
    guard own.count < generations.count else { return installed }
    let leases = try folder.leases.uses().filter { $0.standing != .ended }
    let held = Set(leases.map { $0.lease.generation })
    installed.otherPackGenerations = generations.compactMap { member in
      guard let other = member.manifest?.name, other != pack else { return nil }
      return InstalledPack.OtherPackGeneration(
        name: member.name, pack: other, isHeld: held.contains(member.name))
    }
    return installed
  }

  /// Returns the generations to which a rollback from another one may lead when the file does not say
  /// to which: the same pack's, the highest version first.
  func candidates(toPrecede generation: Generation) -> [(name: String, manifest: PackManifest)] {
    generations.compactMap { member in
      guard let manifest = member.manifest, manifest.name == generation.manifest.name,
        member.name != generation.name, member.state != .damaged
      else { return nil }
      return (member.name, manifest)
    }.sorted { ($1.manifest.version, $0.name) < ($0.manifest.version, $1.name) }
  }

  /// Returns a generation; `nil` when its manifest is not known.
  func generation(_ name: String) -> Generation? {
    member(name)?.manifest.map {
      Generation(
        name: name, manifest: $0, origin: current?.origin(of: name) ?? .bundle,
        folder: folder.generation(name))
    }
  }
}

extension PackSurvey.Member {
  fileprivate var installed: InstalledPack.Generation? {
    if let manifest {
      return InstalledPack.Generation(
        name: name, version: manifest.version, digest: manifest.digest, state: state)
    }
    guard let version = GenerationName(name)?.version else { return nil }
    var hasher = SHA256()
    // The digest of no manifest, so that it is equal to none.
    hasher.update([])
    return InstalledPack.Generation(
      name: name, version: version, digest: hasher.finalize(), state: .damaged)
  }
}
