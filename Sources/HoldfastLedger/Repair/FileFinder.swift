import Holdfast
import HoldfastFiles

/// The search for the file of one record at the paths that are known without reading folders.
///
/// It reads no database and changes nothing.
struct FileFinder {
  /// The evidence, and the files that may be the record's, best first.
  struct Result {
    var evidence: RepairDecision.Evidence
    var candidates: [Candidate] = []
    var problem: String?
  }

  /// A file that may be a record's, unless it is another record's.
  struct Candidate {
    var found: RepairDecision.Found
    var status: FileStatus

    /// The other names of the file, as far as they are known.
    var otherNames: [RelocatablePath] = []
  }

  let ledger: FileLedger
  let survey: FolderSurvey

  /// All roots, those first whose paths the dialect can write.
  let roots: [StorageRoot]

  private let hasLocation: Bool
  private let isStopped: () -> Bool

  init(_ run: RepairRun, hasLocation: Bool) {
    ledger = run.ledger
    survey = run.survey
    isStopped = { run.isStopped }
    self.hasLocation = hasLocation
    let (dialect, container) = (run.ledger.dialect, run.ledger.container)
    let all = StorageRoot.fixed + container.appGroups.map(StorageRoot.appGroup)
    let named = all.filter { dialect.names($0, hasLocation: hasLocation) }
    // A file in another root is there, though it cannot be written.
    roots = named + all.filter { !named.contains($0) }
  }

  /// Looks at the stored path, and unless its file is there, at the expected paths and at the same
  /// path in each other root.
  func find(_ record: LedgerRecord) -> Result {
    var result = Result(evidence: RepairDecision.Evidence(stored: .unknown))
    result.evidence.isCleared = record.state == .cleared
    if let path = record.path {
      let answer = survey.answer(path)
      result.evidence.stored = answer.presence
      switch answer {
      case .present(let status):
        guard let digest = record.digest, let status else { return result }
        if status.byteCount != digest.byteCount {
          result.problem = "the file has \(status.byteCount) bytes and not \(digest.byteCount)"
        } else if record.state != .cleared {
          return result
        } else {
          switch read(path) {
          case .digest(digest): return result
          case .digest: result.problem = "the file has another content than the recorded one"
          case .unreadable(let reason):
            result.evidence.stored = .unknown
            result.problem = "it cannot be read: \(reason)"
            return result
          }
        }
        result.evidence.isOtherFile = true
        // The app's own path and file are never replaced by an older digest.
        guard record.state == .cleared else { return result }
      case .unknown(let reason):
        // The file may be there, so that another one of its name must not take its place.
        result.problem = reason
        return result
      case .absent: break
      }
    } else {
      result.problem = "its stored path cannot be read"
    }
    var seen: Set<RelocatablePath> = record.path.map { [$0] } ?? []
    for path in expectedPaths(of: record, &result) where seen.insert(path).inserted {
      examine(path, .expectedPath, record, &result)
    }
    for root in roots {
      // A path that is legal in one root is legal in each.
      guard let stored = record.path, root != stored.root,
        let path = try? RelocatablePath(root, components: stored.components),
        seen.insert(path).inserted
      else { continue }
      examine(path, .otherRoot, record, &result)
    }
    let isNamed = { (candidate: Candidate) in
      ledger.dialect.names(candidate.found.path.root, hasLocation: hasLocation)
    }
    result.candidates =
      result.candidates.filter(isNamed) + result.candidates.filter { !isNamed($0) }
    return result
  }

  private func read(_ path: RelocatablePath) -> FileIdentity {
    FileIdentity.read(path, in: ledger.container, until: isStopped)
  }

  private func expectedPaths(
    of record: LedgerRecord, _ result: inout Result
  ) -> [RelocatablePath] {
    do {
      return try ledger.expectedPaths(record)
    } catch {
      // Without the app's answer its file may be anywhere.
      result.evidence.isDoubtful = true
      result.problem = "the app's expected paths are not known: \(error)"
      return []
    }
  }

  private func examine(
    _ path: RelocatablePath, _ step: RepairStep, _ record: LedgerRecord, _ result: inout Result
  ) {
    switch survey.answer(path) {
    case .absent: break
    case .unknown(let reason):
      // A container need not have every root.
      guard exists(path.root) else { break }
      result.evidence.isDoubtful = true
      result.problem = result.problem ?? "'\(path)' cannot be examined: \(reason)"
    case .present(let status):
      guard let status else { break }
      let candidate = Candidate(found: RepairDecision.Found(path: path, step: step), status: status)
      guard let digest = record.digest else { return result.candidates.append(candidate) }
      guard status.byteCount == digest.byteCount else { break }
      switch read(path) {
      case .digest(digest): result.candidates.append(candidate)
      case .digest: break
      case .unreadable(let reason):
        result.evidence.isDoubtful = true
        result.problem = result.problem ?? "'\(path)' cannot be read: \(reason)"
      }
    }
  }

  private func exists(_ root: StorageRoot) -> Bool {
    do {
      let place = try FilePath(of: ledger.container.url(for: root))
      _ = try SystemCalls.linkStatus(of: place.text)
      return true
    } catch let error as Errno where error == .notFound || error == .notDirectory {
      return false
    } catch let error as FileError where error.code == .notFound {
      return false
    } catch _ {
      // What cannot be examined may exist.
      return true
    }
  }
}
