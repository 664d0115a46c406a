import HoldfastFiles

extension PackStore {
  /// Removes the installed packs of older editions, as the store's rules say.
  ///
  /// Databases of the user stay, and so does every generation that a process holds. Nothing is
  /// removed while ``EditionPolicy/keepAll`` applies.
  ///
  /// - Returns: A report of what was removed, and what was kept and why; it always returns.
  public func cleanEditions() async -> CleaningReport {
    do {
      return try await awaited { control in self.cleanEditions(control.withoutWaiting) }
    } catch {
      // The closure throws no error.
      return CleaningReport(problem: "\(error)")
    }
  }

  private func cleanEditions(_ control: WorkControl) -> CleaningReport {
    var report = CleaningReport()
    guard let present = configuration.edition else { return report }
    do {
      let store = try FilePath(
        of: configuration.container.url(
          for: RelocatablePath(configuration.root, components: [name.description])))
      let older = try EditionFolder.all(in: store).filter { $0.edition < present }
        .sorted { $0.edition > $1.edition }
      for (index, folder) in older.enumerated() {
        if case .keepNewest(let count) = configuration.editionPolicy, index >= count {
          retire(folder, control, &report)
        } else {
          report.kept.append(CleaningReport.Kept(name: folder.name, reason: .policy))
        }
      }
    } catch {
      report.problem = error.message
    }
    return report
  }

  private func retire(
    _ edition: EditionFolder, _ control: WorkControl, _ report: inout CleaningReport
  ) {
    do {
      for (name, folder) in try edition.packs() {
        var part = CleaningReport()
        try locked(folder, control) { lock in
          part = CleaningReport()
          try Cleaning(folder, lock).retire(&part)
        }
        // The lock's own file was in the folder until now.
        removeIfEmpty(folder.path)
        report.add(part, below: "\(edition.name)/\(name)")
      }
      removeIfEmpty(edition.path)
    } catch let error as FileError {
      report.kept.append(
        CleaningReport.Kept(name: edition.name, reason: .failed(error.message)))
    } catch {
      report.kept.append(CleaningReport.Kept(name: edition.name, reason: .failed("\(error)")))
    }
  }

  private func removeIfEmpty(_ path: FilePath) {
    // A folder that is not empty stays, with what is kept in it.
    try? SystemCalls.removeDirectory(path.text)
  }
}

extension CleaningReport {
  fileprivate mutating func add(_ part: CleaningReport, below folder: String) {
    removed += part.removed.map { "\(folder)/\($0)" }
    kept += part.kept.map { Kept(name: "\(folder)/\($0.name)", reason: $0.reason) }
    problem = problem ?? part.problem
  }
}

/// The folder of an edition, which contains the folders of packs.
private struct EditionFolder {
  let edition: PackEdition
  let name: String
  let path: FilePath

  /// Returns the folders whose names are editions.
  static func all(in store: FilePath) throws(FileError) -> [EditionFolder] {
    try folders(in: store).compactMap { name in
      // Any other name is not an edition's.
      guard let edition = try? PackEdition(name) else { return nil }
      return EditionFolder(edition: edition, name: name, path: store.appending([name]))
    }
  }

  /// Returns the folders in which a pack is installed.
  func packs() throws(FileError) -> [(name: String, folder: PackFolder)] {
    var packs: [(name: String, folder: PackFolder)] = []
    for name in try Self.folders(in: path) {
      let folder = PackFolder(path.appending([name]))
      // One without `current` was left by a clean-up that was interrupted.
      let isPack = try folder.entries().contains { name, entry in
        entry == .generation || entry == .removal || name == folder.current.name
      }
      if isPack { packs.append((name, folder)) }
    }
    return packs
  }

  private static func folders(in path: FilePath) throws(FileError) -> [String] {
    do throws(Errno) {
      var names: [String] = []
      var folder = try OpenDirectory(path.text)
      while let entry = try folder.next() {
        guard let name = entry.name else { continue }
        let status = try SystemCalls.linkStatus(of: path.appending([name]).text)
        if status.kind == .directory { names.append(name) }
      }
      return names.sorted()
    } catch .notFound {
      return []
    } catch {
      throw .couldNotRead(path, error)
    }
  }
}
