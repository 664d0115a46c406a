import Holdfast
import HoldfastFiles

/// The folders of a container as they were read: each once while its files are asked for in a row.
///
/// It proves absence: a file is absent only when the nearest folder above it that exists can be
/// read. The folder of the root itself must exist, because a container that is not there at all
/// proves nothing.
final class FolderSurvey {
  /// The answer for one file.
  enum Answer: Hashable {
    /// The status is known when it was needed for the answer.
    case present(FileStatus?)
    case absent
    case unknown(String)

    var presence: Presence {
      switch self {
      case .present: .present
      case .absent: .absent
      case .unknown: .unknown
      }
    }
  }

  /// A folder, as it was read.
  final class Folder {
    enum Content {
      /// The names of the plain files.
      case listed(Set<ExactText>)
      /// The folder is there and can be read; its names were not kept.
      case readable
      /// The folder is proven to be absent.
      case missing
      case unknown(String)
    }

    let path: RelocatablePath
    let place: FilePath?
    let content: Content

    init(_ path: RelocatablePath, at place: FilePath?, _ content: Content) {
      self.path = path
      self.place = place
      self.content = content
    }
  }

  let container: Container

  /// The folders read last, the latest at the end.
  private var recent: [Folder] = []

  /// The number of names in the folder that was listed last: the next one has about as many.
  private var lastNameCount = 0

  /// The number of folders that are kept: some more than a path has names, because the files of a
  /// folder are asked for before and after its subfolders' entries.
  private static let recentLimit = 16

  /// The number of names above which a folder's names are not kept.
  private static let nameLimit = 10_000

  init(_ container: Container) {
    self.container = container
  }

  /// Forgets the folders, because files may have been moved.
  func forget() {
    recent.removeAll()
  }

  // MARK: - Files

  /// Returns whether there is a plain file, from the folder's names where they are known.
  func answer(_ name: String, in folder: Folder, needsStatus: Bool) -> Answer {
    switch folder.content {
    case .listed(let names) where !needsStatus && names.contains(ExactText(name)):
      return .present(nil)
    case .unknown(let reason): return .unknown(reason)
    case .listed, .readable, .missing: break
    }
    guard let place = folder.place else { return .unknown("its folder has no place") }
    return status(of: place.appending([name]), in: folder)
  }

  /// Returns whether there is a plain file, and its status.
  func answer(_ path: RelocatablePath) -> Answer {
    guard let parent = path.parent, let name = path.lastComponent else {
      return .unknown("it is a root")
    }
    return answer(name, in: folder(parent, isListed: false), needsStatus: true)
  }

  /// Returns the status of a file whose folder was read.
  private func status(of place: FilePath, in folder: Folder) -> Answer {
    do throws(Errno) {
      var status = try SystemCalls.linkStatus(of: place.text)
      if status.kind == .symbolicLink {
        let path = folder.path.appendingUnchecked(place.name)
        // Refuses a link that leads out of the root.
        guard let path, (try? container.url(for: path)) != nil else {
          return .unknown("it is a symbolic link that leads out of its root, or to nothing")
        }
        status = try SystemCalls.status(of: place.text)
      }
      guard status.kind == .regular else { return .unknown("it is not a plain file") }
      return .present(status)
    } catch .notFound, .notDirectory {
      return .absent
    } catch {
      return .unknown(SystemCalls.description(of: error))
    }
  }

  // MARK: - Folders

  /// Returns a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isListed: Whether its names are read: worthwhile for several files.
  /// - Returns: The folder, as it was read now or before.
  func folder(_ path: RelocatablePath, isListed: Bool) -> Folder {
    if let known = recent.last(where: { $0.path == path }) {
      if case .readable = known.content, isListed {
        recent.removeAll { $0 === known }
      } else {
        return known
      }
    }
    let folder = read(path, isListed: isListed)
    if recent.count == Self.recentLimit { recent.removeFirst() }
    recent.append(folder)
    return folder
  }

  private func read(_ path: RelocatablePath, isListed: Bool) -> Folder {
    let place: FilePath
    do throws(FileError) {
      place = try FilePath(of: container.url(for: path))
    } catch {
      return Folder(path, at: nil, .unknown(error.message))
    }
    do throws(Errno) {
      var directory = try OpenDirectory(place.text)
      var names: Set<ExactText> = []
      guard isListed else { return Folder(path, at: place, .readable) }
      names.reserveCapacity(lastNameCount)
      while let entry = try directory.next() {
        // Anything else than a plain file is examined when it is asked for.
        guard entry.kind == .regular, let name = entry.name else { continue }
        guard names.count < Self.nameLimit else { return Folder(path, at: place, .readable) }
        names.insert(ExactText(name))
      }
      lastNameCount = names.count
      return Folder(path, at: place, .listed(names))
    } catch .notFound, .notDirectory {
      guard let parent = path.parent else {
        return Folder(path, at: place, .unknown("the folder of its root does not exist"))
      }
      switch folder(parent, isListed: false).content {
      case .listed, .readable, .missing: return Folder(path, at: place, .missing)
      case .unknown(let reason): return Folder(path, at: place, .unknown(reason))
      }
    } catch {
      return Folder(path, at: place, .unknown(SystemCalls.description(of: error)))
    }
  }
}

extension RelocatablePath {
  /// The path of a name in this folder; `nil` when the name is not legal.
  func appendingUnchecked(_ name: String) -> RelocatablePath? {
    // The caller has no use for the reason.
    try? appending(name)
  }
}
