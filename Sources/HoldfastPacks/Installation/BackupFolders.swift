import HoldfastFiles

/// The folders of a pack that are excluded from backups.
///
/// The folder that contains them is excluded too, unless it contains databases of the user.
struct BackupFolders {
  let folder: PackFolder
  let generation: Generation
  let isExcluded: Bool

  init(_ folder: PackFolder, _ generation: Generation, _ store: PackStore) {
    self.folder = folder
    self.generation = generation
    isExcluded = store.configuration.isExcludedFromBackup
  }

  /// Excludes the folders that are not excluded yet, and reads the exclusion back.
  func exclude() -> [InstallReport.Exclusion] {
    var exclusions = [exclusion(of: "", at: folder.path, wanted: isExcluded && !hasUserData)]
    exclusions.append(exclusion(of: generation.name, at: generation.folder, wanted: isExcluded))
    if exists(folder.styles) {
      exclusions.append(
        exclusion(of: folder.styles.name, at: folder.styles, wanted: isExcluded))
    }
    return exclusions
  }

  private var hasUserData: Bool {
    generation.manifest.files.contains { $0.storage == .seeded } || exists(folder.seeded)
  }

  private func exists(_ path: FilePath) -> Bool {
    // What cannot be examined may be there.
    (try? path.exists()) ?? true
  }

  private func exclusion(
    of name: String, at path: FilePath, wanted: Bool
  ) -> InstallReport.Exclusion {
    var exclusion = InstallReport.Exclusion(path: name, isExcluded: false)
    do throws(FileError) {
      try FileAttributes(isExcludedFromBackup: wanted).ensure(on: path.url)
      exclusion.isExcluded = wanted
    } catch {
      // It may be excluded all the same, from an earlier installation.
      exclusion.isExcluded = (try? FileAttributes(of: path.url).isExcludedFromBackup) ?? false
      exclusion.problem = error.message
    }
    return exclusion
  }
}
