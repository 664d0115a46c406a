import HoldfastFiles

extension PackStore {
  /// Installs a pack if it is newer than the current generation, or repairs the current one.
  ///
  /// Call it at each launch with the pack of the app's bundle: when that is installed already, only
  /// a few small files are read. A pack is copied next to the current generation, verified and made
  /// durable before it becomes current; after a crash at any moment the old generation or the
  /// new one is complete. Another process that installs the same pack is waited for.
  ///
  /// When the pack cannot be installed, as on a full disk, the report names the files to use
  /// nevertheless: the current generation's, or the offered pack's in place.
  ///
  /// - Parameters:
  ///   - pack: The name of the pack.
  ///   - source: The folder that contains the pack.
  /// - Returns: A report of what was done, and which files to use.
  /// - Throws: When there are no files to use: ``PackError`` with `.notFound`, `.invalidManifest`,
  ///   `.newerFormat`, `.damaged`, `.unsuitable`, `.occupied`, `.suspended`; `FileError`.
  ///   `CancellationError`, after which a later call begins again.
  public func install(_ pack: PackName, from source: PackSource) async throws -> InstallReport {
    try await awaited { control in try self.install(pack, from: source, control) }
  }

  /// Installs a pack on the caller's thread, which blocks meanwhile, as the awaited form does; it
  /// does not wait for the end of a suspension.
  @available(
    *, noasync,
    message:
      "Write `try await install(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func install(_ pack: PackName, from source: PackSource) throws -> InstallReport {
    try install(pack, from: source, WorkControl(waitsForResume: false))
  }

  func install(
    _ pack: PackName, from source: PackSource, _ control: WorkControl
  ) throws -> InstallReport {
    var offered: PackManifest?
    do {
      let manifest = try manifest(of: source, for: pack)
      offered = manifest
      let run = InstallRun(
        store: self, source: source, offered: manifest, folder: try folder(of: pack),
        control: control)
      if let (kept, file) = try run.reportIfKept() {
        var report = kept
        refresh(&report, control, needsCleaning: { try self.needsCleaning($0, besides: file) })
        return report
      }
      var report = try run.execute()
      MapCacheLog.copied(report)
      refresh(&report, control, needsCleaning: { _ in true })
      return report
    } catch let error as CancellationError {
      throw error
    } catch {
      MapCacheLog.failed(error, offered)
      var report = try fallback(from: error, of: pack, source, offered)
      Log.report(
        .error, .packs,
        "The pack '\(pack)' was not installed: \(Log.kind(of: error)). \(report.reason)")
      refresh(&report, control, needsCleaning: { _ in false })
      return report
    }
  }

  private func manifest(of source: PackSource, for pack: PackName) throws -> PackManifest {
    let path = try FilePath(of: source.url)
    let manifest = try PackManifest(of: path)
    guard manifest.name == pack else {
      throw PackError.otherPack(manifest.name, expected: pack, path)
    }
    if let edition = manifest.edition, let expected = configuration.edition, edition != expected {
      throw PackError.otherEdition(edition, expected: expected, path)
    }
    return manifest
  }

  /// Creates a pack's folder, durably.
  func createFolder(of pack: PackName) throws(FileError) {
    do throws(FileError) {
      try createFolder(at: path(of: pack), before: folder(of: pack).current)
    } catch {
      MapCacheLog.noFolder(error)
      throw error
    }
  }

  /// Creates a folder, durably, also where a process ended that was creating it.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - first: A file that is written only after the folder was made durable. While it does not
  ///     exist, the folder may not be durable.
  /// - Throws: `FileError`.
  func createFolder(at path: RelocatablePath, before first: FilePath) throws(FileError) {
    try configuration.container.createDirectory(at: path)
    if try !first.exists() { try configuration.container.syncNames(of: path) }
  }

  // MARK: Fallbacks

  /// Returns a report that names the files to use although the pack was not installed.
  ///
  /// - Throws: The error, when there are none.
  private func fallback(
    from error: any Error, of pack: PackName, _ source: PackSource, _ offered: PackManifest?
  ) throws -> InstallReport {
    let isRefused = [.downgrade, .schemaNewer].contains((error as? PackError)?.code)
    if let generation = usableGeneration(of: pack) {
      return InstallReport(
        pack: pack, action: isRefused ? .refused : .failed, source: .generation(generation),
        reason: (error as? FileError)?.code == .notDurable && generation.manifest == offered
          ? InstallReport.sentence(notDurable: generation)
          : InstallReport.sentence(keeping: generation), failure: error)
    }
    guard let offered, !Self.isFlaw(error) else { throw error }
    try refuseIncomplete(source, offered)
    return InstallReport(
      pack: pack, action: .failed, source: .inPlace(source, offered),
      reason: InstallReport.inPlaceSentence, failure: error)
  }

  /// Returns the current generation if nothing shows that it is damaged.
  private func usableGeneration(of pack: PackName) -> Generation? {
    do {
      let survey = try PackSurvey(of: folder(of: pack), complete: false)
      guard let name = survey.current?.generation, survey.member(name)?.state != .damaged,
        let generation = survey.generation(name), generation.manifest.name == pack
      else { return nil }
      return generation
    } catch {
      // What cannot be read cannot be used; the error that led here is the one to report.
      return nil
    }
  }

  /// Returns whether an error shows that the offered pack itself is not usable.
  private static func isFlaw(_ error: any Error) -> Bool {
    if let error = error as? FileError {
      return [.digestMismatch, .notRegularFile].contains(error.code)
    }
    return (error as? PackError)?.code == .damaged
  }

  /// Refuses a pack in place with a file that is missing or has another length.
  private func refuseIncomplete(_ source: PackSource, _ offered: PackManifest) throws {
    for file in offered.files {
      let path = try FilePath(of: source.url(of: file))
      guard try path.byteCount() == file.content.byteCount else {
        throw PackError.incompleteSource(try FilePath(of: source.url), file)
      }
    }
  }

  // MARK: What is done at each launch

  /// Switches links, excludes folders from backups and cleans up, as far as it is possible.
  func refresh(
    _ report: inout InstallReport, _ control: WorkControl,
    needsCleaning: (PackFolder) throws -> Bool
  ) {
    guard let generation = report.generation else { return }
    let control = control.withoutWaiting
    do {
      let folder = try folder(of: report.pack)
      report.exclusions = BackupFolders(folder, generation, self).exclude()
      report.keptFiles = try refreshLinks(of: report.pack, to: generation, control)
      if try needsCleaning(folder) {
        report.cleaning = clean(report.pack, control, within: .zero)
      } else {
        removeLeftLock(of: folder)
      }
    } catch {
      // The installation stands; what was not refreshed is refreshed at the next launch.
      report.unfinished = error
      Log.report(
        .error, .packs, "The pack '\(report.pack)' was not refreshed: \(Log.kind(of: error))")
    }
  }
}
