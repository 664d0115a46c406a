import HoldfastFiles

/// The work on what an earlier process has left: complete files are recorded, remains removed.
struct Recovery: Sendable {
  let folder: DownloadFolder
  let container: Container
  let files: FileWork
  let record: Downloader.Record

  func run() async throws -> RecoveryReport {
    var report = RecoveryReport()
    let contents = try await files.run { [folder] in try folder.contents() }
    for name in contents.remains {
      do {
        try await files.run { [folder] in try folder.remove(named: name) }
        report.removed.append(name)
      } catch {
        report.unreadable.append((name, error))
      }
    }
    for name in contents.keys.sorted() {
      await recover(DownloadKey(name: name), into: &report)
    }
    return report
  }

  private func recover(_ key: DownloadKey, into report: inout RecoveryReport) async {
    let entry: JournalEntry
    do {
      guard let found = try await files.run({ [folder] in try folder.readEntry(key) }) else {
        // An entry that a power loss has damaged; its part belongs to nothing.
        try await files.run { [folder] in try folder.remove(key) }
        report.removed.append("\(key).json")
        return
      }
      entry = found
    } catch {
      // The other downloads do not depend on it.
      report.unreadable.append(("\(key).json", error))
      return
    }
    let completion = DownloadFinisher(folder: folder, container: container)
    do {
      switch try await files.run({ try completion.plan(entry, for: key) }) {
      case .keepPart: report.unfinished.append(entry.request)
      case .occupied: report.occupied.append(entry.request)
      case .forget:
        try await files.run { try completion.remove(key) }
        if entry.verified != nil {
          report.lost.append(entry.request)
        } else {
          report.removed.append("\(key).json")
        }
      case .postpone where entry.verified == nil:
        report.postponed.append((entry.request, DownloadError.partInUse(folder.part(key))))
      case .publish, .adopt, .record, .postpone:
        guard let verified = entry.verified,
          let file = try await files.run({ try completion.publish(entry, verified, for: key) })
        else { return }
        try await completion.record(file, with: record)
        try await files.run { [folder] in try folder.removeEntry(key) }
        report.recorded.append(file)
      }
    } catch {
      report.postponed.append((entry.request, error))
    }
  }
}
