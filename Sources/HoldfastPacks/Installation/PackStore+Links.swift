package import HoldfastFiles

extension PackStore {
  /// Returns the folder for the styles of a generation, and creates it, excluded from backups.
  ///
  /// - Parameter generation: A generation of this store.
  /// - Returns: The folder, which is there.
  /// - Throws: `FileError` when the folder cannot be created.
  package func createStylesFolder(of generation: Generation) throws(FileError) -> FilePath {
    let pack = PackFolder(generation.folder.directory)
    let path = try path(of: generation.manifest.name)
    let styles = try RelocatablePath(
      path.root, components: path.components + [pack.styles.name, generation.name])
    try configuration.container.createDirectory(at: styles)
    // A volume that does not keep it does not prevent the map; the report of the installation
    // says so.
    try? FileAttributes(isExcludedFromBackup: configuration.isExcludedFromBackup)
      .set(on: pack.styles.url)
    return pack.styles(of: generation.name)
  }

  /// Lets the links of the layout lead to the files of the current generation.
  ///
  /// - Parameter pack: The name of the pack.
  /// - Returns: The files of the app, or of the user, that have a name of the layout and were left.
  /// - Throws: ``PackError`` with `.suspended`; `FileError`.
  package func refreshLinks(of pack: PackName) throws -> [InstallReport.KeptFile] {
    guard let generation = try current(pack) else { return [] }
    return try refreshLinks(of: pack, to: generation, WorkControl(waitsForResume: false))
  }

  func refreshLinks(
    of pack: PackName, to generation: Generation, _ control: WorkControl
  ) throws -> [InstallReport.KeptFile] {
    let links = try configuration.layout.links(of: pack)
    guard !links.isEmpty else { return [] }
    let folder = try folder(of: pack)
    let run = SymbolicLinkUpdate(links, in: folder, to: generation, isOnlyUser: isOnlyUser)
    guard try run.isNeeded() else { return [] }
    return try locked(folder, control) { lock in try run.perform(lock) }
  }

  /// Whether no other process can have a file of the store open: its folder is the app's own, and
  /// one process runs the app.
  private var isOnlyUser: Bool {
    if case .appGroup = configuration.root { return false }
    return configuration.role.count == .one
  }
}
