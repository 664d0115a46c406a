import HoldfastFiles

/// One installation of one pack: decides, copies, switches, and reports.
struct InstallRun {
  let store: PackStore
  let source: PackSource
  let offered: PackManifest
  let folder: PackFolder
  let control: PackStore.WorkControl

  /// Returns the report if nothing has to be done, touching as few files as possible; `nil`
  /// otherwise.
  func reportIfKept() throws -> (InstallReport, CurrentFile)? {
    let survey = try PackSurvey(of: folder, complete: false)
    guard case .keep(let name, let reason) = try plan(survey), let file = survey.current,
      let generation = survey.generation(name)
    else { return nil }
    return (report(.kept, generation, InstallReport.sentence(reason, generation, offered)), file)
  }

  /// Installs the pack if the decision says so.
  func execute() throws -> InstallReport {
    try store.createFolder(of: offered.name)
    return try store.locked(folder, control) { lock in
      let work = LockedWork(folder: folder, lock: lock, control: control)
      var known: [String: GenerationState] = [:]
      var olderSeed: PackError?
      while true {
        let survey = try PackSurvey(of: folder, complete: true, known: known)
        try survey.refuseForeignFile()
        let plan = try plan(survey, hasOlderSeed: olderSeed != nil)
        switch plan {
        case .verify(let name):
          known[name] = try work.verify(name, survey.member(name)?.manifest)
        case .keep(let name, let reason):
          guard let generation = survey.generation(name) else {
            known[name] = .damaged
            continue
          }
          return report(.kept, generation, InstallReport.sentence(reason, generation, offered))
        case .activate(let name, let reason):
          guard let manifest = survey.member(name)?.manifest else {
            known[name] = .damaged
            continue
          }
          do {
            return try activate(name, manifest, reason, survey, work)
          } catch let error as PackError where error.code == .schemaNewer {
            olderSeed = error
          }
        case .install(let reason):
          do {
            // Before the copy, which takes time and space.
            try seeded(work).guarding(endangered(by: offered, reason, survey)) {}
            let name = try copy(work)
            return try activate(name, offered, reason, survey, work)
          } catch let error as PackError where error.code == .schemaNewer {
            olderSeed = error
          }
        case .refuse(let refusal):
          if refusal == .olderSeed, let olderSeed { throw olderSeed }
          throw PackError.refused(offered, refusal)
        }
      }
    }
  }

  private func plan(
    _ survey: PackSurvey, hasOlderSeed: Bool = false
  ) throws(FileError) -> InstallPlan {
    InstallPlan(
      installing: OfferedPack(
        version: offered.version, digest: offered.digest, origin: source.origin,
        hasOlderSeed: hasOlderSeed),
      over: try survey.installed(offered.name),
      allowsDowngrades: store.configuration.allowsDowngrades)
  }

  // MARK: Steps

  /// Copies the pack into a new generation, complete and durable, and returns its name.
  private func copy(_ work: LockedWork) throws -> String {
    let staged = StagedGeneration(
      of: try FilePath(of: source.url), offered, in: folder,
      attributes: FileAttributes(isExcludedFromBackup: store.configuration.isExcludedFromBackup),
      until: { work.isStopped })
    do {
      return try work.stoppable {
        try staged.write()
        try work.throwIfStopped()
        let name = try staged.publish(work.lock)
        VerificationMemory(folder.verified).remember(
          offered, named: name, in: folder.generation(name))
        return name
      }
    } catch {
      staged.discard()
      throw error
    }
  }

  private func seeded(_ work: LockedWork) -> SeededDatabases {
    SeededDatabases(store: store, work: work)
  }

  /// Returns the seeds that may be older than what was merged, where the current generation's are
  /// not, and can stay.
  private func endangered(
    by manifest: PackManifest, _ reason: InstallPlan.Reason, _ survey: PackSurvey
  ) -> [PackFile] {
    switch reason {
    // Any pack that works is better than none.
    case .first, .repair: return []
    case .upgrade, .downgrade, .replacement, .requested: break
    }
    let present = survey.current.flatMap { survey.member($0.generation)?.manifest }
    return manifest.files.filter { file in
      guard let old = present?.files.first(where: { $0.path == file.path })?.schema,
        let new = file.schema
      else { return false }
      return new.userVersion < old.userVersion
    }
  }

  private func activate(
    _ name: String, _ manifest: PackManifest, _ reason: InstallPlan.Reason, _ survey: PackSurvey,
    _ work: LockedWork
  ) throws -> InstallReport {
    // An installation that repairs may activate another pack than the offered one.
    let origin =
      manifest == offered ? source.origin : survey.current?.origin(of: name) ?? .bundle
    let generation = Generation(
      name: name, manifest: manifest, origin: origin, folder: folder.generation(name))
    // What the app has left may be the last one that works.
    var dismissed = survey.current?.dismissed ?? DismissedPacks()
    dismissed.remove(manifest.digest)
    var file = CurrentFile(after: survey, activating: generation, dismissed: dismissed)
    let isRebuilt = survey.content == .unreadable
    if isRebuilt {
      file.previous = try survey.candidates(toPrecede: generation).first {
        try work.verify($0.name, $0.manifest) == .whole
      }?.name
    }
    try seeded(work).guarding(endangered(by: manifest, reason, survey)) {
      try work.lock.perform { try file.write(to: folder) }
    }
    var report = report(
      InstallReport.Action(reason), generation,
      InstallReport.sentence(reason, generation)
        + (isRebuilt ? InstallReport.sentence(rebuiltWith: file.previous) : ""))
    switch reason {
    case .first, .repair: report.olderSeeds = seeded(work).olderSeeds(of: manifest)
    // Refused otherwise.
    case .upgrade, .downgrade, .replacement, .requested: break
    }
    return report
  }

  private func report(
    _ action: InstallReport.Action, _ generation: Generation, _ reason: String
  ) -> InstallReport {
    InstallReport(
      pack: offered.name, action: action, source: .generation(generation), reason: reason)
  }
}

extension CurrentFile {
  /// The content after a generation has become the current one.
  ///
  /// A rollback returns to the generation that was current; if that is damaged, to the one to which
  /// it would have returned before.
  ///
  /// - Parameters:
  ///   - survey: The content of the folder, and the generation that was current.
  ///   - generation: The new current generation.
  ///   - dismissed: The packs that are not installed again by themselves.
  init(after survey: PackSurvey, activating generation: Generation, dismissed: DismissedPacks) {
    let old = survey.current
    let isOldWhole = old.flatMap { survey.member($0.generation) }?.state != .damaged
    let previous = isOldWhole ? old?.generation : old?.previous
    // Also those of generations that are only kept by leases, to which an app can switch.
    var origins = (old?.origins ?? [:]).filter { survey.member($0.key) != nil }
    origins[generation.name] = generation.origin
    // Nothing but a file that was made so has the last number; the count begins again.
    let (next, isLast) = (old?.sequence ?? 0).addingReportingOverflow(1)
    self.init(
      generation: generation.name, previous: previous == generation.name ? nil : previous,
      sequence: isLast ? 1 : next, origins: origins, dismissed: dismissed)
  }
}

extension InstallReport.Action {
  init(_ reason: InstallPlan.Reason) {
    self =
      switch reason {
      case .first: .installed
      case .upgrade(let old), .replacement(let old): .upgraded(from: old)
      case .downgrade(let old): .downgraded(from: old)
      case .repair(let old): .repaired(from: old)
      case .requested(let old): .switched(from: old)
      }
  }
}
