public import HoldfastFiles

/// The exclusion of a file or a folder from backups, set and read back.
///
/// An exclusion can be lost by a move, by a restored backup and by volumes that do not keep it, so it
/// is set again after each move and never trusted unread.
public struct BackupExclusion: Hashable, Sendable {
  /// The file or the folder.
  public var path: RelocatablePath

  /// Whether it is excluded, as read back.
  public var isExcluded: Bool

  /// The reason it is not excluded; `nil` when it is.
  public var problem: String?

  /// Excludes a file or a folder from backups.
  ///
  /// - Parameters:
  ///   - path: The file or the folder.
  ///   - container: The container.
  init(_ path: RelocatablePath, in container: Container) {
    self.path = path
    do throws(FileError) {
      try FileAttributes(isExcludedFromBackup: true).set(on: container.url(for: path))
      isExcluded = true
    } catch {
      isExcluded = false
      problem = error.message
    }
  }

  /// Excludes a file from backups, unless a folder that contains it is excluded, with everything in it.
  ///
  /// - Parameters:
  ///   - file: The file; the path of the exclusion is its own, or that of the innermost folder that is excluded.
  ///   - container: The container.
  init(covering file: RelocatablePath, in container: Container) {
    var folder = file.parent
    while let path = folder {
      // One that cannot be read excludes nothing.
      if (try? FileAttributes(of: container.url(for: path)))?.isExcludedFromBackup == true {
        self.init(excluded: path)
        return
      }
      folder = path.parent
    }
    self.init(file, in: container)
  }

  /// The state of a folder that is excluded already.
  private init(excluded folder: RelocatablePath) {
    path = folder
    isExcluded = true
  }

  /// Returns what is to be excluded for a file in the documents.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - folders: The folders that are excluded with everything in them.
  /// - Returns: The innermost of the folders that contains the file, or the file.
  static func target(for file: RelocatablePath, in folders: [RelocatablePath]) -> RelocatablePath {
    folders.filter { folder in
      // Excluding a root would exclude what the user wants to keep.
      !folder.components.isEmpty && folder.root == file.root
        && folder.components.count < file.components.count
        && zip(folder.components, file.components).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }.max { $0.components.count < $1.components.count } ?? file
  }
}
