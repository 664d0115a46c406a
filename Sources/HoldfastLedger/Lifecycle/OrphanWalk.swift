import Holdfast
import HoldfastFiles

/// A walk through folders for files that may be orphans.
///
/// Symbolic links are not followed. What a link leads to may belong to a record under another path.
struct OrphanWalk {
  struct File {
    var candidate: FileFinder.Candidate
    var place: FilePath
    var itemFolder: String?

    var path: RelocatablePath { candidate.found.path }
  }

  private struct Folder {
    var path: RelocatablePath
    var place: FilePath
    var item: String?
  }

  let container: Container

  /// The files and folders that are left out.
  let excluded: FoldedPaths

  private(set) var files: [File] = []
  private(set) var skipped: [OrphanReport.Skipped] = []
  private(set) var linkTargets: [FilePath] = []
  private var seen: Set<RelocatablePath> = []

  init(_ container: Container, excluding excluded: Set<RelocatablePath>) {
    self.container = container
    self.excluded = FoldedPaths(excluded)
  }

  /// Removes and returns the files that were found.
  mutating func takeFiles() -> [File] {
    defer { files = [] }
    return files
  }

  /// Reads a folder with everything in it, and calls a closure after each folder.
  ///
  /// A folder that does not exist has no files.
  mutating func walk(_ path: RelocatablePath, onFolder: (inout OrphanWalk) throws -> Void) throws {
    guard let place = try? FilePath(of: container.url(for: path)) else {
      // A link leads out of the root, or the root cannot be read.
      skipped.append(OrphanReport.Skipped(path: path, reason: .unreadable))
      return
    }
    var pending = [Folder(path: path, place: place)]
    while let folder = pending.popLast() {
      // One folder may be asked for twice, or lie in another one.
      guard !excluded.contains(folder.path), seen.insert(folder.path).inserted else { continue }
      read(folder, isFirst: folder.path == path, &pending)
      try onFolder(&self)
    }
  }

  private mutating func read(_ folder: Folder, isFirst: Bool, _ pending: inout [Folder]) {
    do throws(Errno) {
      var directory = try OpenDirectory(folder.place.text, followsLink: isFirst)
      while let entry = try directory.next() {
        // A name that no path can contain is not valid UTF-8.
        guard let name = entry.name, let path = try? folder.path.appending(name) else {
          skipped.append(OrphanReport.Skipped(path: folder.path, reason: .unnameable))
          continue
        }
        examine(path, in: folder, name, &pending, isFirst: isFirst)
      }
    } catch .notFound, .notDirectory {
      // Removed since its folder was read, or nothing was ever there.
    } catch {
      skipped.append(OrphanReport.Skipped(path: folder.path, reason: .unreadable))
    }
  }

  private mutating func examine(
    _ path: RelocatablePath, in folder: Folder, _ name: String, _ pending: inout [Folder],
    isFirst: Bool
  ) {
    guard !excluded.contains(path) else { return }
    let place = folder.place.appending([name])
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: place.text)
      switch status.kind {
      case .directory:
        pending.append(Folder(path: path, place: place, item: isFirst ? name : folder.item))
      case .regular where Self.isUnfinished(name):
        skipped.append(OrphanReport.Skipped(path: path, reason: .unfinished))
      case .regular:
        let found = RepairDecision.Found(path: path, step: .identity)
        files.append(
          File(
            candidate: FileFinder.Candidate(found: found, status: status), place: place,
            itemFolder: folder.item))
      case .symbolicLink:
        // A link that leads to nothing leads to no orphan.
        if let target = try? SystemCalls.realPath(place.text) {
          linkTargets.append(FilePath(target))
        }
      case .other: break
      }
    } catch .notFound, .notDirectory {
      // Removed since its folder was read.
    } catch {
      skipped.append(OrphanReport.Skipped(path: path, reason: .unreadable))
    }
  }

  /// Returns whether a file has the name that this package gives to unfinished ones and to locks.
  private static func isUnfinished(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: ".")
      && [".moving", ".staging", ".lock", ".downloading"].contains(where: name.hasSuffix)
  }

  /// Returns why a file that no record has is no orphan; `nil` when it is one.
  func refusal(of file: File) -> OrphanReport.Skipped.Reason? {
    if !linkTargets.isEmpty {
      // Without its real path, it may be what a link leads to.
      guard let real = try? SystemCalls.realPath(file.place.text) else { return .unreadable }
      if linkTargets.contains(where: { FilePath(real).names(below: $0) != nil }) { return .linked }
    }
    return Self.refusal(ofContent: file.place)
  }

  /// Returns why the content of a file shows that it must not be deleted.
  static func refusal(ofContent place: FilePath) -> OrphanReport.Skipped.Reason? {
    do throws(LockSafeFile.Failure) {
      _ = try LockSafeFile(place)
      return nil
    } catch {
      switch error {
      case .refused(.database), .refused(.companion): return .database
      case .refused(.openHere), .refused(.unknownWhetherOpen): return .open
      case .refused, .failed: return .unreadable
      }
    }
  }
}
