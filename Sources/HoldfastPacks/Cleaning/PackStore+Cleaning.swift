import HoldfastFiles

extension PackStore {
  /// Removes generations of a pack that nothing uses, and what interrupted installations have left.
  ///
  /// The current generation stays, and so do the previous one, those that a process holds
  /// or has open as far as this one may know, and all files that are not the store's.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: A report of what was removed, and what was kept and why; it always returns.
  public func clean(_ pack: PackName) async -> CleaningReport {
    do {
      return try await awaited { control in
        self.clean(pack, control.withoutWaiting, within: self.configuration.waitLimit)
      }
    } catch {
      // The closure throws no error.
      return CleaningReport(problem: "\(error)")
    }
  }

  /// Returns whether there is something in a pack's folder that a clean-up may remove.
  func needsCleaning(_ folder: PackFolder, besides current: CurrentFile) throws -> Bool {
    try folder.entries().contains { name, entry in
      switch entry {
      case .generation: name != current.generation && name != current.previous
      case .staging, .removal, .leftover: true
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
