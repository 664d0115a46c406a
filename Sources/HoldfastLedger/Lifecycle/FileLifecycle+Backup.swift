import HoldfastFiles

extension FileLifecycle {
  /// Excludes the folders of ``LifecyclePolicy/excludedFolders`` from backups again.
  ///
  /// Call it at launch, because a restored backup has no exclusions. Folders that do not exist are
  /// created, so that a file is never in one that is not excluded.
  ///
  /// - Returns: The state of each folder; one that is not excluded says why.
  public func excludeFromBackup() async -> [BackupExclusion] {
    let (folders, container) = (policy.excludedFolders, ledger.container)
    return folders.map { folder in
      do throws(FileError) {
        try container.createDirectory(at: folder)
      } catch {
        // Reported by what follows, which needs the folder.
      }
      return BackupExclusion(folder, in: container)
    }
  }
}
