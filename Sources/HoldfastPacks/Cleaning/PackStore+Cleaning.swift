import HoldfastFiles

extension PackStore {
  /// Removes generations of a pack that nothing uses, and what interrupted installations have left.
  ///
  /// The current generation stays, and so do the previous one, those that a process holds
  /// or has open as far as this one may know, and all files that are not the store's.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: What was removed, and what was kept and why; it always returns.
  public func clean(_ pack: PackName) async -> CleaningReport {
    do {
      return try await awaited { control in
        self.clean(pack, control, within: self.configuration.waitLimit)
      }
    } catch {
      // The closure throws no error.
      return CleaningReport(problem: "\(error)")
    }
  }

  /// Returns whether there is something in a pack's folder that a clean-up may remove.
  func needsCleaning(_ folder: PackFolder) throws -> Bool {
    guard let current = try CurrentFile.content(of: folder).file else { return false }
    return try folder.entries().contains { name, entry in
      switch entry {
      case .generation: name != current.generation && name != current.previous
      case .staging, .removal: true
      case .own, .foreign: false
      }
    }
  }

  func clean(
    _ pack: PackName, _ control: WorkControl, within limit: Duration
  ) -> CleaningReport {
    do {
      return clean(try folder(of: pack), control, within: limit)
    } catch {
      return CleaningReport(problem: error.message)
    }
  }

  func clean(
    _ folder: PackFolder, _ control: WorkControl, within limit: Duration
  ) -> CleaningReport {
    var report = CleaningReport()
    do {
      guard try folder.exists() else { return report }
      try locked(folder, control, within: limit) { lock in
        report = CleaningReport()
        try Cleaning(folder, lock).perform(&report)
      }
    } catch let error as FileError {
      report.problem = error.message
    } catch let error as PackError {
      report.problem = error.message
    } catch {
      report.problem = "\(error)"
    }
    return report
  }
}

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
    removeLeftovers(entries, &report)
    for (name, entry) in entries where entry == .foreign {
      report.kept.append(CleaningReport.Kept(name: name, reason: .foreign))
    }
    let generations = entries.filter { $0.entry == .generation }.map(\.name)
    let removals = try lock.perform { try setAside(generations, &report) }
    for (name, path) in removals { remove(path, named: name, &report) }
    removeStyles(&report)
  }

  /// Removes what interrupted installations and clean-ups have left.
  private func removeLeftovers(
    _ entries: [(name: String, entry: PackFolder.Entry)], _ report: inout CleaningReport
  ) {
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
    for lease in try folder.leases.leases() {
      let standing = lease.standing(in: .current) { $0.presence }
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
