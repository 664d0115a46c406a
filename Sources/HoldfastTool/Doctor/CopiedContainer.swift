import Foundation
import HoldfastFiles
import Synchronization

/// A container as it was copied from a device, and the answer to which files it contains.
struct CopiedContainer: Sendable {
  /// Whether a file exists; absence must be proven.
  enum Presence: Equatable, Sendable {
    case present
    case absent
    case unknown
  }

  /// The folder that was given, with symbolic links resolved.
  let folder: FilePath
  /// The folder with `Documents`, `Library` and `tmp`; `nil` when there is none.
  let data: FilePath?

  /// The identifier of the app group whose container this is; `nil` for an app's container.
  let appGroup: String?

  private let lastFolder = LastFolder()

  /// The folders that can contain the app's data: `AppData` in Xcode's `.xcappdata`, `Data` in a
  /// Mac's container.
  private static let dataFolders: [[String]] = [[], ["AppData"], ["Data"]]

  init(folder: FilePath) {
    self.folder = folder
    appGroup = Self.appGroup(of: folder)
    let layout = Self.dataFolders.map(folder.appending).first { candidate in
      ["Documents", "Library", "tmp"].contains { Self.isFolder(candidate.appending([$0])) }
    }
    // The container of a group needs none of these folders.
    data = appGroup == nil ? layout : layout ?? folder
  }

  private struct Metadata: Decodable {
    var MCMMetadataIdentifier: String
    var MCMMetadataContentClass: Int?
  }

  /// Reads the group in the file with which the system describes each container; `nil` for an app.
  private static func appGroup(of folder: FilePath) -> String? {
    for kind in ["mobile_container_manager", "containermanagerd"] {
      let path = folder.appending([".com.apple.\(kind).metadata.plist"])
      do {
        let file = try SystemCalls.openFile(path.text, for: .readPlain)
        let bytes = try SystemCalls.readBytes(file, at: 0, count: 1 << 20)
        let metadata = try PropertyListDecoder().decode(Metadata.self, from: Data(bytes))
        let identifier = metadata.MCMMetadataIdentifier
        // The class of app groups; on a Mac they may begin with the team instead of "group.".
        let isGroup = identifier.hasPrefix("group.") || metadata.MCMMetadataContentClass == 7
        return isGroup && StorageRoot.appGroup(identifier).isLegal ? identifier : nil
      } catch {
        // Most copies are without it, and then of an app.
        continue
      }
    }
    return nil
  }

  /// Whether a stored path leads into this container.
  func contains(_ path: StoredPath) -> Bool {
    switch path.owner {
    case .app, .sandbox: appGroup == nil
    // A path on a device does not say which group it is.
    case .appGroup: appGroup != nil
    case .groupSandbox: appGroup == path.container
    case .appExtension, .bundle: false
    }
  }

  /// Opens a folder.
  ///
  /// - Parameter url: The folder, as it was given on the command line.
  /// - Throws: ``ToolError`` with `.noInput` when there is no folder, or it cannot be read.
  init(at url: URL) throws {
    let given = try FilePath(of: url)
    do throws(Errno) {
      guard try SystemCalls.status(of: given.text).kind == .directory else {
        throw .notDirectory
      }
      let folder = FilePath(try SystemCalls.realPath(given.text))
      _ = try OpenDirectory(folder.text)
      self.init(folder: folder)
    } catch {
      switch error {
      case .notFound: throw ToolError.noContainer(url.relativePath)
      case .notDirectory: throw ToolError.containerIsFile(url.relativePath)
      default:
        throw ToolError.containerUnreadable(
          url.relativePath, reason: SystemCalls.description(of: error))
      }
    }
  }

  private static func isFolder(_ path: FilePath) -> Bool {
    do throws(Errno) {
      return try SystemCalls.linkStatus(of: path.text).kind == .directory
    } catch {
      // A folder that cannot be examined is no known layout.
      return false
    }
  }

  /// Whether a file is part of backups unless it is excluded.
  func isBackedUp(_ path: FilePath) -> Bool {
    guard let data, let names = path.names(below: data) else { return false }
    // "everything in your app's home directory is backed up, with the exception of the app bundle
    // itself, the caches directory, and temporary directory" (File System Programming Guide)
    return names.starts(with: ["Documents"])
      || names.starts(with: ["Library"]) && !names.starts(with: ["Library", "Caches"])
  }

  /// Returns the folder of a root; `nil` when the layout is not known, or the root is none.
  func folder(of root: StorageRoot) -> FilePath? {
    root.isLegal ? data?.appending(root.folder) : nil
  }

  /// Looks for a file in the app's data.
  ///
  /// Names are also found in the other Unicode normalization, which Apple's volumes do not tell
  /// apart.
  ///
  /// - Parameter names: The names below the data folder, such as `Documents`, `a.m4b`.
  /// - Returns: Whether it exists; unknown when its folder was not copied or cannot be read.
  func presence(_ names: [String]) -> Presence {
    guard let data else { return .unknown }
    guard let name = names.last else { return .present }
    // Most names are in ASCII, and have one spelling.
    let isASCII = names.allSatisfy(Self.isASCII)
    if name != "..", !name.utf8.contains(0), names.dropLast().allSatisfy(Self.isASCII),
      let folder = lastFolder.path(names.dropLast()),
      let answer = Self.plainPresence(of: Self.isASCII(name) ? [name] : name.spellings, in: folder)
    {
      return answer
    }
    // A folder that was not copied proves nothing.
    guard let top = names.first,
      names.count == 1 && appGroup != nil || Self.isFolder(data.appending([top])),
      !names.contains(".."), !names.contains(where: { $0.utf8.contains(0) })
    else { return .unknown }
    if top == "Library", names.count > 1, !Self.isFolder(data.appending(Array(names.prefix(2)))) {
      return .unknown
    }
    let spellings =
      isASCII
      ? [names]
      : [
        names, names.map(\.precomposedStringWithCanonicalMapping),
        names.map(\.decomposedStringWithCanonicalMapping),
      ]
    var answer = Presence.absent
    for (index, spelling) in spellings.enumerated() {
      if index > 0, zip(spelling, names).allSatisfy({ $0.utf8.elementsEqual($1.utf8) }) { continue }
      switch exactPresence(spelling, in: data) {
      case .present: return .present
      case .unknown: answer = .unknown
      case .absent: break
      }
    }
    return answer
  }

  private func exactPresence(_ names: [String], in data: FilePath) -> Presence {
    var path = data
    for (index, name) in names.enumerated() {
      // Above that, a name that is missing proves nothing.
      if index == names.count - 1, index > (names[0] == "Library" ? 1 : 0) {
        lastFolder.note(names.dropLast(), at: path)
      }
      path = path.appending([name])
      do throws(Errno) {
        guard try SystemCalls.linkStatus(of: path.text).kind == .symbolicLink else { continue }
        // A link may lead out of the copy, or to where the file was on the device.
        let target = FilePath(try SystemCalls.realPath(path.text))
        guard target.names(below: folder) != nil else { return .unknown }
        path = target
      } catch .notFound, .notDirectory {
        return isLink(path) ? .unknown : .absent
      } catch .nameTooLong {
        return .absent
      } catch {
        return .unknown
      }
    }
    return .present
  }

  private static func isASCII(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 < 0x80 && $0 > 0 }
  }

  /// Returns whether a file with one of the names is in a folder that is there; `nil` when a link has one.
  private static func plainPresence(of names: [String], in folder: FilePath) -> Presence? {
    var answer = Presence.absent
    for name in names {
      do throws(Errno) {
        let status = try SystemCalls.linkStatus(of: folder.appending([name]).text)
        return status.kind == .symbolicLink ? nil : .present
      } catch {
        if ![.notFound, .notDirectory, .nameTooLong].contains(error) { answer = .unknown }
      }
    }
    return answer
  }

  private func isLink(_ path: FilePath) -> Bool {
    do throws(Errno) {
      return try SystemCalls.linkStatus(of: path.text).kind == .symbolicLink
    } catch {
      // It does not exist, which was just found.
      return false
    }
  }
}

/// The folder in which a file was looked for last; most files have it in common with the next one.
private final class LastFolder: Sendable {
  private let known = Mutex<(names: [String], path: FilePath)?>(nil)

  /// Returns the path of the folder, if it has these names.
  func path(_ names: ArraySlice<String>) -> FilePath? {
    known.withLock { known in
      guard let known, known.names.elementsEqual(names, by: { $0.utf8.elementsEqual($1.utf8) })
      else { return nil }
      return known.path
    }
  }

  func note(_ names: ArraySlice<String>, at path: FilePath) {
    known.withLock { $0 = (Array(names), path) }
  }
}

extension String {
  /// This name and its other Unicode normalizations, each once.
  fileprivate var spellings: [String] {
    var spellings = [self]
    for other in [precomposedStringWithCanonicalMapping, decomposedStringWithCanonicalMapping]
    where !spellings.contains(where: { $0.utf8.elementsEqual(other.utf8) }) {
      spellings.append(other)
    }
    return spellings
  }
}
