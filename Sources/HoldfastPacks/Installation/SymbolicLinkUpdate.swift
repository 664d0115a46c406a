import HoldfastFiles

/// The switch of a layout's links to the files of a generation.
struct SymbolicLinkUpdate {
  let links: [PackLayout.Link]
  let folder: PackFolder
  let generation: Generation

  /// Whether no other process can have a file of the folder open.
  let isOnlyUser: Bool

  init(
    _ links: [PackLayout.Link], in folder: PackFolder, to generation: Generation,
    isOnlyUser: Bool
  ) {
    self.links = links
    self.folder = folder
    self.generation = generation
    self.isOnlyUser = isOnlyUser
  }

  /// The file that has the name of a link.
  private enum Present {
    case nothing
    /// A link of the store, which leads to the right file or to another one.
    case link(isRight: Bool)
    case file(FileStatus)
    /// A link, a folder or another file that is not the store's.
    case foreign
  }

  private func path(of link: PackLayout.Link) -> FilePath {
    folder.path.appending([link.name.description])
  }

  /// The text of a link, relative to the pack's folder.
  private func text(of link: PackLayout.Link) -> String {
    switch link.target {
    case .file(let path): "\(generation.name)/\(path)"
    case .style(let name): "\(folder.styles.name)/\(generation.name)/\(name)"
    }
  }

  /// Returns whether the file exists to which a link should lead.
  private func hasTarget(_ link: PackLayout.Link) throws -> Bool {
    switch link.target {
    case .file(let path): generation.manifest.file(at: path.description) != nil
    case .style(let name):
      try folder.styles(of: generation.name).appending([name.description]).byteCount() != nil
    }
  }

  private func present(_ link: PackLayout.Link) throws(FileError) -> Present {
    let path = path(of: link)
    do throws(Errno) {
      let status = try SystemCalls.linkStatus(of: path.text)
      switch status.kind {
      case .regular: return .file(status)
      case .symbolicLink:
        let text = try SystemCalls.linkText(of: path.text)
        if text.utf8.elementsEqual(self.text(of: link).utf8) { return .link(isRight: true) }
        return folder.isLinkText(text) ? .link(isRight: false) : .foreign
      case .directory, .other: return .foreign
      }
    } catch .notFound {
      return .nothing
    } catch .illegalBytes {
      return .foreign
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// Returns whether a link does not lead to the right file.
  func isNeeded() throws -> Bool {
    for link in links where try hasTarget(link) {
      if case .link(isRight: true) = try present(link) { continue }
      return true
    }
    return false
  }

  /// Switches the links, each in one step, and makes the switch durable.
  func perform(_ lock: InstallingLock) throws -> [InstallReport.KeptFile] {
    var kept: [InstallReport.KeptFile] = []
    var isChanged = false
    for link in links where try hasTarget(link) {
      let path = path(of: link)
      switch try present(link) {
      case .link(isRight: true): continue
      case .nothing, .link(isRight: false): break
      case .foreign:
        kept.append(
          InstallReport.KeptFile(name: path.name, reason: InstallReport.foreignSentence))
        continue
      case .file(let status):
        let file = try makeRoom(path, status, lock)
        kept.append(file)
        if file.movedTo == nil { continue }
      }
      try lock.perform { try replace(path, by: link) }
      isChanged = true
    }
    if isChanged { try folder.sync() }
    return kept
  }

  private func replace(_ path: FilePath, by link: PackLayout.Link) throws(FileError) {
    // A name that a clean-up removes.
    let staging = folder.staging(path.name)
    do throws(Errno) {
      try SystemCalls.makeLink(staging.text, to: text(of: link))
      try SystemCalls.move(staging.text, to: path.text)
    } catch {
      throw .couldNotReplace(path, error)
    }
  }

  /// Moves a file of an older version of the app out of the way, if it is proven that no process
  /// has it open.
  private func makeRoom(
    _ path: FilePath, _ status: FileStatus, _ lock: InstallingLock
  ) throws -> InstallReport.KeptFile {
    var file = InstallReport.KeptFile(
      name: path.name, reason: InstallReport.mayBeOpenSentence)
    do throws(FileError) {
      file.digest = try ImmutableFile(path).digest()
    } catch {
      file.reason = InstallReport.unreadSentence(error)
      return file
    }
    guard isUnused(status), let digest = file.digest else { return file }
    let aside = "\(path.name).before-\(digest.sha256.description.prefix(8))"
    let name = { choice in choice == 1 ? aside : "\(aside).\(choice)" }
    file.movedTo = try lock.perform { name(try folder.generations.move(path, to: name).choice) }
    file.reason = InstallReport.movedSentence
    return file
  }

  /// Returns whether it is proven that no process has a file open.
  private func isUnused(_ status: FileStatus) -> Bool {
    guard SystemCalls.isOpenHere(status) == false else { return false }
    if isOnlyUser { return true }
    #if os(Linux)
      return ProcessTable.isOpen(status) == false
    #else
      return false
    #endif
  }
}
