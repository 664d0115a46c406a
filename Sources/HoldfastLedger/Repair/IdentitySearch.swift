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

  /// Some files that were found, and how far the search has got.
  struct Delivery {
    var files: [FileFinder.Candidate]
    /// The last folder whose files were examined.
    var position: RelocatablePath?
    /// Whether every folder and file up to here could be examined.
    var isComplete: Bool
  }

  /// Receives some files; returns whether it has dealt with all of them.
  typealias Receiver = (Delivery) throws -> Bool

  private static let batch = 200

  /// The number of folders after which the position is delivered.
  private static let folderBatch = 500

  private let run: RepairRun
  private let container: Container
  private let byteCounts: Set<Int64>

  private var isComplete = true
  private var batch: [FileFinder.Candidate] = []
  private var linked: [Node: FileFinder.Candidate] = [:]
  private var rootNodes: Set<Node> = []
  private var position: RelocatablePath?
  private var folderCount = 0

  private init(_ run: RepairRun, _ byteCounts: Set<Int64>) {
    self.run = run
    container = run.ledger.container
    self.byteCounts = byteCounts
  }

  /// Finds the files whose lengths are sought.
  ///
  /// Folders are read in the order of their names, so that a search continues after a folder.
  ///
  /// - Parameters:
  ///   - byteCounts: The lengths.
  ///   - roots: The roots that are searched.
  ///   - position: The last folder of the search that is continued; `nil` begins one.
  ///   - end: The last folder that is searched; `nil` searches all.
  ///   - run: The repair, whose budget ends the search.
  ///   - found: Receives some files at a time.
  /// - Returns: Whether all files were seen.
  /// - Throws: `CancellationError`; whatever `found` throws.
  static func find(
    _ byteCounts: Set<Int64>, in roots: [StorageRoot], after position: RelocatablePath? = nil,
    upTo end: RelocatablePath? = nil, _ run: RepairRun, _ found: Receiver
  ) throws -> Outcome {
    var search = IdentitySearch(run, byteCounts)
    return try search.find(in: roots, after: position, upTo: end, found)
  }

  private mutating func find(
    in roots: [StorageRoot], after start: RelocatablePath?, upTo end: RelocatablePath?,
    _ found: Receiver
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
    position = start
    let first = folders.firstIndex { $0.root == start?.root } ?? 0
    for (root, place) in folders.dropFirst(first) {
      let isLast = end?.root == root
      let isFinished = try walk(
        RelocatablePath(root), at: place, after: start?.root == root ? start : nil,
        upTo: isLast ? end : nil, found)
      guard isFinished else { return .interrupted }
      if isLast { break }
    }
    guard try deliver(found) else { return .interrupted }
    return isComplete ? .complete : .incomplete
  }

  private mutating func deliver(_ found: Receiver) throws -> Bool {
    let delivery = Delivery(
      files: batch + linked.values, position: position, isComplete: isComplete)
    batch.removeAll()
    linked.removeAll()
    folderCount = 0
    return try found(delivery)
  }

  /// Reads a folder and its subfolders; returns false when the budget is used up.
  private mutating func walk(
    _ root: RelocatablePath, at place: FilePath, after start: RelocatablePath?,
    upTo end: RelocatablePath?, _ found: Receiver
  ) throws -> Bool {
    var pending = [(path: root, place: place)]
    while let folder = pending.popLast() {
      if try run.isOver() {
        _ = try deliver(found)
        return false
      }
      let order = start.map { FolderOrder(folder.path, comparedTo: $0) } ?? .after
      if order == .before { continue }
      if let end, FolderOrder(folder.path, comparedTo: end) == .after { continue }
      var inner: [(path: RelocatablePath, place: FilePath)] = []
      do throws(Errno) {
        var directory = try OpenDirectory(folder.place.text)
        while let entry = try directory.next() {
          // The reason why a name is illegal does not matter here.
          guard let name = entry.name, let path = try? folder.path.appending(name) else {
            // A file that no path can name may be the one.
            isComplete = false
            continue
          }
          if order == .above, entry.kind == .regular { continue }
          examine(path, at: folder.place.appending([name]), entry.kind, &inner)
        }
      } catch .notFound, .notDirectory {
        // Removed since its folder was read.
      } catch {
        isComplete = false
      }
      // The last one is read first.
      pending += inner.sorted {
        $1.place.name.utf8.lexicographicallyPrecedes($0.place.name.utf8)
      }
      if order == .after {
        position = folder.path
        folderCount += 1
      }
      if batch.count + linked.count >= Self.batch || folderCount >= Self.folderBatch {
        guard try deliver(found) else { return false }
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
        // Where it leads is found under its own name, unless that is unknown.
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

/// The place of a folder in the order of a search, compared with the last one that was examined.
enum FolderOrder: Hashable {
  /// It was examined with all its subfolders.
  case before
  /// Its files were examined, and not all of its subfolders.
  case above
  case after

  init(_ folder: RelocatablePath, comparedTo last: RelocatablePath) {
    for (name, other) in zip(folder.components, last.components)
    where !name.utf8.elementsEqual(other.utf8) {
      self = name.utf8.lexicographicallyPrecedes(other.utf8) ? .before : .after
      return
    }
    self = folder.components.count <= last.components.count ? .above : .after
  }
}
