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
    let removals = try lock.perform { try setAside(generations, &report) }
    for (name, path) in removals { remove(path, named: name, &report) }
    removeStyles(&report)
  }

  /// Removes the pack with everything that is the store's, if no process uses it.
  ///
  /// Databases of the user and files of the app stay.
  func retire(_ report: inout CleaningReport) throws {
    let entries = try folder.entries()
    try removeLeftovers(entries, &report)
    let generations = entries.filter { $0.entry == .generation }.map(\.name)
    let removals = try lock.perform { try setAsideAll(generations, &report) }
    guard let removals else { return }
    for (name, path) in removals { remove(path, named: name, &report) }
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

  /// Ends the pack's installation, unless a generation is in use; `nil` if one is.
  private func setAsideAll(
    _ generations: [String], _ report: inout CleaningReport
  ) throws -> [(name: String, path: FilePath)]? {
    let content = try CurrentFile.content(of: folder)
    guard content == .none || content.file != nil else {
      report.kept += generations.map {
        CleaningReport.Kept(name: $0, reason: .failed("the current generation is unknown"))
      }
      return nil
    }
    let used = try inUse(generations)
    if !used.isEmpty {
      report.kept += used
      return nil
    }
    do throws(Errno) {
      try SystemCalls.remove(folder.current.text)
    } catch .notFound {
      // A clean-up that was interrupted has removed it.
    } catch {
      throw FileError.couldNotRemove(folder.current, error)
    }
    try folder.sync()
    // A process that has recorded its lease before it saw this keeps its generation.
    let late = try inUse(generations)
    if !late.isEmpty {
      try content.file?.write(to: folder)
      report.kept += late
      return nil
    }
    var removals: [(name: String, path: FilePath)] = []
    for name in generations {
      let path = folder.removal(name)
      do throws(Errno) {
        try SystemCalls.move(folder.generation(name).text, to: path.text)
        removals.append((name, path))
      } catch {
        keep(name, FileError.couldNotRemove(folder.generation(name), error), &report)
      }
    }
    if !removals.isEmpty { try folder.sync() }
    return removals
  }

  private func inUse(_ generations: [String]) throws -> [CleaningReport.Kept] {
    try uses(of: generations).compactMap { use in
      CleaningPlan.reason(of: use, nil).map { CleaningReport.Kept(name: use.name, reason: $0) }
    }
  }

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
    try lock.perform {
      for (name, entry) in entries where entry == .leftover {
        remove(folder.path.appending([name]), named: name, &report)
      }
    }
    for (name, entry) in entries where entry == .staging || entry == .removal {
      remove(folder.path.appending([name]), named: name, &report)
    }
  }

  /// Gives the generations that nothing uses a name under which they are not found.
  ///
  /// A generation that was removed in part would be taken for a damaged one.
  private func setAside(
    _ generations: [String], _ report: inout CleaningReport
  ) throws -> [(name: String, path: FilePath)] {
    let current: CurrentFile
    switch try CurrentFile.content(of: folder) {
    case .known(let file): current = file
    case .none, .unreadable, .newerFormat:
      // Any of them may be the current one.
      report.kept += generations.map {
        CleaningReport.Kept(name: $0, reason: .failed("the current generation is unknown"))
      }
      return []
    }
    let plan = CleaningPlan(try uses(of: generations), current: current)
    report.kept += plan.kept
    var removals: [(name: String, path: FilePath)] = []
    for name in plan.removed {
      let path = folder.removal(name)
      do throws(Errno) {
        try SystemCalls.move(folder.generation(name).text, to: path.text)
        removals.append((name, path))
      } catch {
        keep(name, FileError.couldNotRemove(folder.generation(name), error), &report)
      }
    }
    // Before a file is removed, so that a power loss leaves no part of a generation.
    if !removals.isEmpty { try folder.sync() }
    return removals
  }

  private func uses(of generations: [String]) throws -> [CleaningPlan.Use] {
    var held: [String: [CleaningPlan.Use.Held]] = [:]
    let scope = ProcessScope.current
    for lease in try folder.leases.leases() {
      let standing = lease.standing(in: scope) { $0.presence }
      if standing == .ended {
        folder.leases.release(lease)
      } else {
        held[lease.generation, default: []].append(
          CleaningPlan.Use.Held(lease: lease, standing: standing))
      }
    }
    return generations.map { name in
      CleaningPlan.Use(
        name: name, leases: held[name] ?? [], isOpenHere: isOpenHere(folder.generation(name)))
    }
  }

  /// Returns whether this process has a file of a folder open; `nil` when that is unknown.
  private func isOpenHere(_ path: FilePath) -> Bool? {
    do throws(Errno) {
      var folder = try OpenDirectory(path.text, followsLink: false)
      while let entry = try folder.next() {
        guard let name = entry.name else { continue }
        let inner = path.appending([name])
        let status = try SystemCalls.linkStatus(of: inner.text)
        let isOpen =
          status.kind == .directory ? isOpenHere(inner) : SystemCalls.isOpenHere(status)
        if isOpen != false { return isOpen }
      }
      return false
    } catch {
      return nil
    }
  }

  /// Removes the styles of generations that are no longer there.
  private func removeStyles(_ report: inout CleaningReport) {
    do throws(Errno) {
      var names: [String] = []
      var styles = try OpenDirectory(folder.styles.text, followsLink: false)
      while let entry = try styles.next() {
        if let name = entry.name, GenerationName(name) != nil { names.append(name) }
      }
      for name in names where try !exists(folder.generation(name)) {
        remove(folder.styles(of: name), named: "\(folder.styles.name)/\(name)", &report)
      }
    } catch .notFound {
      return
    } catch {
      keep(folder.styles.name, FileError.couldNotRead(folder.styles, error), &report)
    }
  }

  private func exists(_ path: FilePath) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try SystemCalls.linkStatus(of: path.text)
      return true
    } catch .notFound {
      return false
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
