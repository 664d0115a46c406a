import Holdfast
import HoldfastFiles

/// A generation that is being copied to a folder of its own, which gets its name when it is complete.
///
/// Each file is copied, verified and made durable with its attributes; then each folder is made
/// durable. Whatever happens before the folder gets its name, no generation is seen.
struct StagedGeneration {
  let source: FilePath
  let manifest: PackManifest
  let folder: PackFolder
  let staging: FilePath
  let attributes: FileAttributes

  /// The longest time between two checks is the time to copy half a mebibyte.
  let isStopped: () -> Bool

  /// The space that stays free on the volume, in bytes, so that other code can still work.
  private static let reserve: Int64 = 4 * 1024 * 1024

  init(
    of source: FilePath, _ manifest: PackManifest, in folder: PackFolder,
    attributes: FileAttributes, until isStopped: @escaping () -> Bool
  ) {
    self.source = source
    self.manifest = manifest
    self.folder = folder
    self.attributes = attributes
    self.isStopped = isStopped
    staging = folder.staging(manifest.generationName)
  }

  /// Copies the pack.
  ///
  /// - Throws: `FileError` when a file is not what the manifest says, or a call of the system
  ///   fails; ``PackError`` with `.damaged`, `.noSpace`.
  func write() throws {
    try staging.makeDirectory()
    var folders: [FilePath] = []
    var made: Set<FilePath> = []
    var isSpaceChecked = false
    for file in manifest.files {
      for count in 1..<max(file.path.names.count, 1) {
        let inner = staging.appending(Array(file.path.names.prefix(count)))
        if made.insert(inner).inserted {
          try inner.makeDirectory()
          folders.append(inner)
        }
      }
      try copy(file) { () throws(FileError) in
        guard !isSpaceChecked else { return }
        try checkSpace(from: file)
        isSpaceChecked = true
      }
    }
    try staging.appending([PackManifest.fileName]).createFile(with: Array(manifest.data))
    setAttributes()
    // The inner folders were created first, so the last ones are the innermost.
    for inner in folders.reversed() { try inner.syncNames() }
    try staging.syncNames()
  }

  private func copy(
    _ file: PackFile, beforeWriting: () throws(FileError) -> Void
  ) throws {
    let path = source.appending(file.path.names)
    if file.kind.isDatabase, let log = try DatabaseFiles(main: path).firstLogWithContent() {
      throw PackError.logNextToSource(path, log: log)
    }
    let target = staging.appending(file.path.names)
    let copy = VerifiedCopy(of: path, to: target, expecting: file.content)
    // What the attributes become is read back from the folder, and reported.
    let outcome = try copy.perform(
      startCount: DatabaseHeader.byteCount, attributes: attributes, until: isStopped,
      beforeWriting: beforeWriting)
    let flaw = PackFileFlaw.found(
      in: file, start: outcome.start, byteCount: file.content.byteCount)
    if let flaw { throw PackError.flawedSource(path, flaw) }
  }

  /// Refuses a pack for which the volume has no space, before any of it is written.
  private func checkSpace(from first: PackFile) throws(FileError) {
    // A part of what the manifest has checked to fit.
    let needed = manifest.files.drop { $0 != first }.reduce(0) { $0 + $1.content.byteCount }
    do throws(Errno) {
      guard try SystemCalls.freeSpace(at: staging.text) - Self.reserve >= needed else {
        throw .noSpace
      }
    } catch {
      throw .couldNotReplace(folder.path, error)
    }
  }

  private func setAttributes() {
    // A volume that does not keep them does not prevent the installation; the report says so.
    try? attributes.set(on: staging.url)
  }

  /// Gives the folder its name, durably.
  ///
  /// A name that another folder has already is never taken: a number is added, so that a
  /// damaged generation that is in use stays as it is.
  ///
  /// - Parameter lock: The lock of the pack's folder.
  /// - Returns: The name of the generation.
  /// - Throws: ``PackError`` with `.suspended`; `FileError`.
  func publish(_ lock: InstallingLock) throws -> String {
    try lock.perform {
      let name = { GenerationName(manifest, copy: $0).description }
      return name(try folder.generations.publish(staging, as: name).choice)
    }
  }

  /// Removes what was copied, after an error; what cannot be removed is removed by a clean-up.
  func discard() {
    try? FolderRemoval.remove(staging)
  }
}
