import Holdfast
import HoldfastFiles

/// The search for files of certain lengths under the roots.
///
/// Symbolic links are not followed. Names of one file are found together.
struct IdentitySearch {
  enum Outcome {
    case complete
    /// A folder or a file could not be examined.
    case incomplete
    /// The budget was used up.
    case interrupted
  }

  /// A file under any name, or a folder.
  private struct Node: Hashable {
    var device: UInt64
    var inode: UInt64

    init(_ status: FileStatus) {
      device = status.device
      inode = status.inode
    }
  }

  private static let batch = 200

  private let run: RepairRun
  private let container: Container
  private let byteCounts: Set<Int64>

  private var isComplete = true
  private var batch: [FileFinder.Candidate] = []
  private var linked: [Node: FileFinder.Candidate] = [:]
  private var rootNodes: Set<Node> = []

  private init(_ run: RepairRun, _ byteCounts: Set<Int64>) {
    self.run = run
    container = run.ledger.container
    self.byteCounts = byteCounts
  }

  /// Finds the files whose lengths are sought.
  ///
  /// - Parameters:
  ///   - byteCounts: The lengths.
  ///   - roots: The roots that are searched.
  ///   - run: The repair, whose budget ends the search.
  ///   - found: Receives some files at a time.
  /// - Returns: Whether all files were seen.
  /// - Throws: `CancellationError`; whatever `found` throws.
  static func find(
    _ byteCounts: Set<Int64>, in roots: [StorageRoot], _ run: RepairRun,
    _ found: ([FileFinder.Candidate]) throws -> Void
  ) throws -> Outcome {
    var search = IdentitySearch(run, byteCounts)
    return try search.find(in: roots, found)
  }

  private mutating func find(
    in roots: [StorageRoot], _ found: ([FileFinder.Candidate]) throws -> Void
  ) throws -> Outcome {
    var folders: [(root: StorageRoot, place: FilePath)] = []
    for root in roots {
      do {
        let place = try FilePath(of: container.url(for: root))
        // A root may lie inside another one; its files belong to the inner one.
        let node = Node(try SystemCalls.status(of: place.text))
        if rootNodes.insert(node).inserted { folders.append((root, place)) }
      } catch let error as Errno where error == .notFound || error == .notDirectory {
        // A container need not have every root.
      } catch let error as FileError where error.code == .notFound {
        // A group without entitlement.
      } catch _ {
        isComplete = false
      }
    }
    for (root, place) in folders {
      let isFinished = try walk(RelocatablePath(root), at: place, found)
      guard isFinished else { return .interrupted }
    }
    batch += linked.values
    if !batch.isEmpty { try found(batch) }
    return isComplete ? .complete : .incomplete
  }

  /// Reads a folder and its subfolders; returns false when the budget is used up.
  private mutating func walk(
    _ root: RelocatablePath, at place: FilePath, _ found: ([FileFinder.Candidate]) throws -> Void
  ) throws -> Bool {
    var pending = [(path: root, place: place)]
    while let folder = pending.popLast() {
      guard try !run.isOver() else { return false }
      do throws(Errno) {
        var directory = try OpenDirectory(folder.place.text)
        while let entry = try directory.next() {
          // The reason why a name is illegal does not matter here.
          guard let name = entry.name, let path = try? folder.path.appending(name) else {
            // A file that no path can name may be the one.
            isComplete = false
            continue
          }
          let inner = folder.place.appending([name])
          examine(path, at: inner, entry.kind, &pending)
        }
      } catch .notFound, .notDirectory {
        // Removed since its folder was read.
      } catch {
        isComplete = false
      }
      if batch.count >= Self.batch {
        try found(batch)
        batch.removeAll()
      }
    }
    return true
  }

  private mutating func examine(
    _ path: RelocatablePath, at place: FilePath, _ kind: FileStatus.Kind?,
    _ pending: inout [(path: RelocatablePath, place: FilePath)]
  ) {
    do throws(Errno) {
      switch kind {
      case .other: return
      case .symbolicLink:
        // Where it leads is found under its own name, unless that cannot be told.
        _ = try SystemCalls.status(of: place.text)
        return
      case .regular, .directory, nil: break
      }
      let status = try SystemCalls.linkStatus(of: place.text)
      switch status.kind {
      case .directory:
        if !rootNodes.contains(Node(status)) { pending.append((path, place)) }
      case .regular where byteCounts.contains(status.byteCount):
        let candidate = FileFinder.Candidate(
          found: RepairDecision.Found(path: path, step: .identity), status: status)
        if status.linkCount == 1 {
          batch.append(candidate)
        } else if linked[Node(status)] == nil {
          linked[Node(status)] = candidate
        } else {
          linked[Node(status)]?.otherNames.append(path)
        }
      case .regular, .symbolicLink, .other: break
      }
    } catch .notFound, .notDirectory {
      // Removed since its folder was read.
    } catch {
      isComplete = false
    }
  }
}
