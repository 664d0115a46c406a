import HoldfastFiles

/// The clean-up of one pack's folder, under its lock.
struct Cleaning {
  let folder: PackFolder
  let lock: InstallingLock

  init(_ folder: PackFolder, _ lock: InstallingLock) {
    self.folder = folder
    self.lock = lock
  }

  func perform(_ report: inout CleaningReport) throws {
    let entries = try folder.entries()
    try removeLeftovers(entries, &report)
    for (name, entry) in entries where entry == .foreign {
      report.kept.append(CleaningReport.Kept(name: name, reason: .foreign))
    }
    let generations = entries.filter { $0.entry == .generation }.map(\.name)
    try removeGenerations(unused(generations, &report), &report)
    removeStyles(&report)
  }

  /// Removes the pack with everything that is the store's, if no process uses it.
  ///
  /// Databases of the user and files of the app stay.
  func retire(_ report: inout CleaningReport) throws {
    let entries = try folder.entries()
    try removeLeftovers(entries, &report)
    let generations = entries.filter { $0.entry == .generation }.map(\.name)
    guard try endInstallation(generations, &report) else { return }
    try removeGenerations(generations, &report)
    removeStyles(&report)
    for (name, entry) in entries where entry == .foreign {
      let path = folder.path.appending([name])
      if isOwnLink(path) {
        remove(path, named: name, &report)
      } else {
        report.kept.append(CleaningReport.Kept(name: name, reason: .foreign))
      }
    }
    if entries.contains(where: { $0.name == folder.seeded.name }) {
      report.kept.append(CleaningReport.Kept(name: folder.seeded.name, reason: .seeded))
    }
    // Empty folders, and what is remembered of files that are gone.
    for path in [folder.verified, folder.styles, folder.leases.path] {
      remove(path, named: path.name, &report)
    }
  }

  // MARK: Generations

  /// Returns the generations that nothing uses.
  private func unused(
    _ generations: [String], _ report: inout CleaningReport
  ) throws -> [String] {
    guard let current = try CurrentFile.content(of: folder).file else {
      keepAll(generations, &report)
      return []
    }
    let plan = CleaningPlan(try uses(of: files(of: generations)), current: current)
    report.kept += plan.kept
    return plan.removed
  }

  /// Ends the pack's installation; returns false if a generation is in use.
  private func endInstallation(
    _ generations: [String], _ report: inout CleaningReport
  ) throws -> Bool {
    let content = try CurrentFile.content(of: folder)
    guard content == .none || content.file != nil else {
      keepAll(generations, &report)
      return false
    }
    let files = files(of: generations)
    var used = try inUse(files)
    if used.isEmpty {
      try lock.perform {
        // A clean-up that was interrupted may have removed it.
        try folder.current.removeIfPresent()
        try folder.sync()
        // A process that has recorded its lease before it saw this keeps its generation.
        used = try inUse(files)
        if !used.isEmpty { try content.file?.write(to: folder) }
      }
    }
    report.kept += used
    return used.isEmpty
  }

  /// Keeps the generations, any of which may be the current one.
  private func keepAll(_ generations: [String], _ report: inout CleaningReport) {
    report.kept += generations.map {
      CleaningReport.Kept(name: $0, reason: .failed("the current generation is unknown"))
    }
  }

  // MARK: Uses

  /// A generation, and its files; `nil` when they cannot be listed.
  private typealias Files = (name: String, files: Set<FileStatus.Identity>?)

  private func files(of generations: [String]) -> [Files] {
    generations.map { name in
      // Without an answer, any file may be one of them.
      (name, try? Self.files(in: folder.generation(name)))
    }
  }

  private static func files(in path: FilePath) throws -> Set<FileStatus.Identity> {
    var files: Set<FileStatus.Identity> = []
    for entry in try FolderListing(of: path).entries where entry.kind != .directory {
      let file = path.appending([entry.path])
      files.insert(try SystemCalls.linkStatus(of: file.text).identity)
    }
    return files
  }

  private func inUse(_ generations: [Files]) throws -> [CleaningReport.Kept] {
    try uses(of: generations).compactMap { use in
      CleaningPlan.reason(of: use, nil).map { CleaningReport.Kept(name: use.name, reason: $0) }
    }
  }

  private func uses(of generations: [Files]) throws -> [CleaningPlan.Use] {
    let held = try folder.leases.usesByGeneration()
    let open = SystemCalls.filesOpenHere()
    return generations.map { name, files in
      let isOpenHere: Bool? =
        if let files, let open { !files.isDisjoint(with: open) } else { nil }
      return CleaningPlan.Use(name: name, leases: held[name] ?? [], isOpenHere: isOpenHere)
    }
  }

  // MARK: Removal

  private func isOwnLink(_ path: FilePath) -> Bool {
    // What is no link has no text.
    guard let text = try? SystemCalls.linkText(of: path.text) else { return false }
    return folder.isLinkText(text)
  }

  /// Removes what interrupted installations and clean-ups have left.
  private func removeLeftovers(
    _ entries: [(name: String, entry: PackFolder.Entry)], _ report: inout CleaningReport
  ) throws {
    // Files are replaced under the lock only, so no other process is at it.
    for (name, path) in try setAside(
      entries.filter { $0.entry == .leftover }.map(\.name), &report)
    {
      remove(path, named: name, &report)
    }
    for (name, entry) in entries where entry == .staging || entry == .removal {
      remove(folder.path.appending([name]), named: name, &report)
    }
  }

  /// Removes generations that nothing uses.
  private func removeGenerations(
    _ names: [String], _ report: inout CleaningReport
  ) throws {
    let removals = try setAside(names, &report)
    // Before a file is removed, so that a power loss leaves no part of a generation.
    if !removals.isEmpty { try folder.sync() }
    for (name, path) in removals { remove(path, named: name, &report) }
  }

  /// Gives each of the names in the folder another one, under which it is not found.
  ///
  /// A generation that was removed in part would be taken for a damaged one. A suspension waits for
  /// one of the steps only, not until all files are removed.
  private func setAside(
    _ names: [String], _ report: inout CleaningReport
  ) throws -> [(name: String, path: FilePath)] {
    var removals: [(name: String, path: FilePath)] = []
    for name in names {
      let path = folder.removal(name)
      do {
        try lock.perform { try SystemCalls.move(folder.path.appending([name]).text, to: path.text) }
        removals.append((name, path))
      } catch let error as Errno {
        keep(name, FileError.couldNotRemove(folder.path.appending([name]), error), &report)
      }
    }
    return removals
  }

  /// Removes the styles of generations that are no longer there.
  private func removeStyles(_ report: inout CleaningReport) {
    do throws(FileError) {
      for name in try namesOfStyles() where try !folder.generation(name).exists() {
        remove(folder.styles(of: name), named: "\(folder.styles.name)/\(name)", &report)
      }
    } catch {
      keep(folder.styles.name, error, &report)
    }
  }

  /// Returns the generations for which styles were written.
  private func namesOfStyles() throws(FileError) -> [String] {
    do throws(Errno) {
      var names: [String] = []
      var styles = try OpenDirectory(folder.styles.text, followsLink: false)
      while let entry = try styles.next() {
        if let name = entry.name, GenerationName(name) != nil { names.append(name) }
      }
      return names
    } catch .notFound {
      return []
    } catch {
      throw .couldNotRead(folder.styles, error)
    }
  }

  private func remove(_ path: FilePath, named name: String, _ report: inout CleaningReport) {
    do throws(FileError) {
      try FolderRemoval.remove(path)
      report.removed.append(name)
    } catch {
      keep(name, error, &report)
    }
  }

  private func keep(_ name: String, _ error: FileError, _ report: inout CleaningReport) {
    report.kept.append(CleaningReport.Kept(name: name, reason: .failed(error.message)))
  }
}
