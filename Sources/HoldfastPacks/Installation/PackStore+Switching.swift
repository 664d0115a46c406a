import HoldfastFiles

extension PackStore {
  /// Makes the previous generation current again.
  ///
  /// A pack that was rolled back from is not installed again by itself, nor by another rollback; a
  /// newer one is, and ``switchTo(_:of:)`` makes it current again. If the generation that was current
  /// before is damaged or missing, or was rolled back from, the one with the highest version below the
  /// current one is made current. Databases of the user are not changed.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: A report of what was done.
  /// - Throws: ``PackError`` with `.notFound` when there is no earlier generation or none at all,
  ///   `.damaged` when it, or the manifest of the current one, is damaged, `.suspended`,
  ///   `.schemaNewer` when a newer seed was merged into a database of the app; `FileError`;
  ///   `CancellationError`.
  public func rollback(_ pack: PackName) async throws -> InstallReport {
    try await awaited { control in try self.change(pack, .rollback, control) }
  }

  /// Makes a generation in the pack's folder the current one.
  ///
  /// A switch to a lower version, or to other content of the same version, lasts: the pack that was
  /// current is not installed again by itself at the next launch; a newer one is, and so is any
  /// other pack with a higher version than the generation, as `install(_:from:)` says.
  /// ``rollback(_:)`` returns to the generation that was current.
  ///
  /// - Parameters:
  ///   - generation: The name of the generation.
  ///   - pack: The name of the pack.
  /// - Returns: A report of what was done.
  /// - Throws: ``PackError`` with `.notFound` when there is no such generation, `.damaged` when its
  ///   files do not match its manifest, `.suspended`, `.schemaNewer` when a newer seed was merged
  ///   into a database of the app; `FileError`; `CancellationError`.
  public func switchTo(_ generation: String, of pack: PackName) async throws -> InstallReport {
    try await awaited { control in try self.change(pack, .switchTo(generation), control) }
  }

  /// A request of the app.
  private enum Request {
    case rollback
    case switchTo(String)

    var way: DismissedPacks.Way {
      switch self {
      case .rollback: .rollback
      case .switchTo: .switching
      }
    }
  }

  private func change(
    _ pack: PackName, _ request: Request, _ control: WorkControl
  ) throws -> InstallReport {
    let folder = try folder(of: pack)
    // Checked before the lock, whose file needs the folder.
    guard try currentFile(of: folder) != nil else { throw PackError.notInstalled(pack) }
    var report = try locked(folder, control) { lock in
      try change(pack, request, folder, lock, control)
    }
    refresh(&report, control, needsCleaning: { _ in true })
    return report
  }

  private func change(
    _ pack: PackName, _ request: Request, _ folder: PackFolder, _ lock: InstallingLock,
    _ control: WorkControl
  ) throws -> InstallReport {
    let work = LockedWork(folder: folder, lock: lock, control: control)
    var known: [String: GenerationState] = [:]
    while true {
      let survey = try PackSurvey(of: folder, complete: true, known: known)
      guard let old = survey.current else { throw PackError.notInstalled(pack) }
      let installed = try survey.installed(pack)
      let plan =
        switch request {
        case .rollback: InstallPlan(rollingBack: installed)
        case .switchTo(let name): InstallPlan(switchingTo: name, in: installed)
        }
      switch plan {
      case .verify(let name):
        known[name] = try work.verify(name, survey.member(name)?.manifest)
      case .activate(let name, _):
        guard let generation = survey.generation(name),
          let target = installed.generations.first(where: { $0.name == name })
        else {
          known[name] = .damaged
          continue
        }
        let file = CurrentFile(
          after: survey, activating: generation,
          dismissed: installed.dismissed(switchingTo: target, by: request.way))
        let seeds = generation.manifest.files.filter { $0.storage == .seeded }
        try SeededDatabases(store: self, work: work).guarding(seeds) {
          try lock.perform { try file.write(to: folder) }
        }
        return InstallReport(
          pack: pack, action: .switched(from: old.generation), source: .generation(generation),
          reason: InstallReport.sentence(
            .requested(from: old.generation), generation))
      case .keep(let name, _):
        guard let generation = survey.generation(name) else {
          throw PackError.refused(pack, "no generation was switched to", .damaged(name))
        }
        return InstallReport(
          pack: pack, action: .kept, source: .generation(generation),
          reason: InstallReport.sentence(current: generation))
      case .refuse(let refusal):
        throw PackError.refused(pack, "no generation was switched to", refusal)
      case .install:
        preconditionFailure("A switch installs no pack.")
      }
    }
  }
}
