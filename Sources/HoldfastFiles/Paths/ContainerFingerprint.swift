/// The identity of a container's folders, which decides at launch whether the container can have
/// moved.
///
/// It consists of the path, the device and the inode of each root, for which no folder is listed:
/// it costs one call of the system per root. The path is kept as a digest, because no absolute path
/// is stored.
///
/// ```swift
/// let present = try ContainerFingerprint(of: container)
/// if stored != present { try repair() }
/// ```
///
/// When it is equal, each root is the same folder at the same path, so that a path that was valid
/// is valid. It does not show what happened inside a root: a file that the system has purged, one
/// that was moved or changed, or a folder whose content was restored in place. A difference does not
/// prove a move: some systems number their devices again when they start.
public struct ContainerFingerprint: Hashable, Sendable {
  /// A root's folder.
  private struct Folder: Hashable {
    var path: SHA256Digest
    /// The device and the inode; `nil` when the folder does not exist.
    var place: Place?
  }

  private struct Place: Hashable {
    var device: UInt64
    var inode: UInt64
  }

  /// By the tag of the root.
  private let folders: [String: Folder]

  private static let mark = "1"

  /// Reads the present identity of a container's folders.
  ///
  /// - Parameter container: the container; its fixed roots and ``Container/appGroups`` are read.
  /// - Throws: ``FileError`` with `.accessDenied` or `.inputOutput` when it is unknown whether a
  ///   folder is there, as while a device is locked.
  public init(of container: Container) throws(FileError) {
    var folders: [String: Folder] = [:]
    for root in StorageRoot.fixed + container.appGroups.map(StorageRoot.appGroup) {
      let path: FilePath
      do throws(FileError) {
        path = try container.folder(of: root)
      } catch {
        // A root that the system does not know has no folder.
        if error.code == .notFound { continue }
        throw error
      }
      var hasher = SHA256()
      hasher.update(path.text.utf8)
      folders[root.tag] = Folder(path: hasher.finalize(), place: try Self.place(of: path))
    }
    self.folders = folders
  }

  private static func place(of path: FilePath) throws(FileError) -> Place? {
    do throws(Errno) {
      let status = try SystemCalls.status(of: path.text)
      return Place(device: status.device, inode: status.inode)
    } catch .notFound, .notDirectory {
      return nil
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Returns whether every root is the same folder at the same path.
  ///
  /// - Parameter other: the fingerprint at another time.
  /// - Returns: whether both are equal.
  public func matches(_ other: ContainerFingerprint) -> Bool {
    self == other
  }

  /// Returns the roots that are not the same folder at the same path.
  ///
  /// - Parameter other: the fingerprint at another time.
  /// - Returns: the roots, in the order of their tags.
  public func changedRoots(since other: ContainerFingerprint) -> [StorageRoot] {
    Set(folders.keys).union(other.folders.keys)
      .filter { folders[$0] != other.folders[$0] }
      .sorted().compactMap(StorageRoot.init(tag:))
  }
}

extension ContainerFingerprint: LosslessStringConvertible {
  /// A line of text that is the same for equal fingerprints.
  public var description: String {
    let words = folders.sorted { $0.key < $1.key }.map { tag, folder in
      let place = folder.place.map { "\($0.device)/\($0.inode)" } ?? "-"
      return "\(tag)=\(folder.path)/\(place)"
    }
    return ([Self.mark] + words).joined(separator: " ")
  }

  /// Parses the text form.
  ///
  /// The result is `nil` when the text has another form, such as a later version's.
  ///
  /// - Parameter description: a text exactly as returned by ``description``.
  public init?(_ description: String) {
    var words = description.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.removeFirst() == Self.mark else { return nil }
    var folders: [String: Folder] = [:]
    for word in words {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, StorageRoot(tag: parts[0]) != nil, folders[parts[0]] == nil,
        let folder = Self.folder(parts[1])
      else { return nil }
      folders[parts[0]] = folder
    }
    self.folders = folders
    guard self.description == description else { return nil }
  }

  private static func folder(_ text: String) -> Folder? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, let path = SHA256Digest(parts[0]) else { return nil }
    if parts.count == 2, parts[1] == "-" { return Folder(path: path, place: nil) }
    guard parts.count == 3, let device = UInt64(parts[1]), let inode = UInt64(parts[2]) else {
      return nil
    }
    return Folder(path: path, place: Place(device: device, inode: inode))
  }
}

extension ContainerFingerprint: Codable {
  /// Decodes the text form.
  ///
  /// - Parameter decoder: holds one string.
  /// - Throws: `DecodingError` when it is not a fingerprint's.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(
      ofText: ContainerFingerprint.init, else: "is not a container's fingerprint")
  }

  /// Encodes the text form.
  ///
  /// - Parameter encoder: receives one string.
  /// - Throws: whatever `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
