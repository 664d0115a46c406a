public import Foundation
import HoldfastFiles

/// The builder of packs: copies files into a folder, checks them, and describes them in a manifest.
///
/// ```swift
/// let builder = PackBuilder(PackDescription(version: try PackVersion("2025.1")))
/// let report = try builder.build(filesIn: sources, to: folder)
/// ```
///
/// The same files and the same description give the same bytes. A pack that an app could not use
/// is not built: a database must pass SQLite's quick check, must not be in write-ahead-log mode,
/// and must have no log next to it.
public struct PackBuilder: Sendable {
  /// A further check of a file, which throws the reason why the file cannot be used, and returns
  /// sentences about what may be wrong with it.
  ///
  /// It is called when all files of the pack are in their places, with the location of the copy.
  public typealias Check = @Sendable (_ file: URL) throws -> [String]

  /// A check of all files of a pack together, which throws the reason why they cannot be used, and returns
  /// sentences about what may be wrong with them.
  ///
  /// It is called when all files of the pack are in their places, with their folder.
  public typealias PackCheck = @Sendable (_ folder: URL, _ files: [PackFile]) throws -> [String]

  /// A report of what was built.
  public struct Report: Sendable {
    /// The manifest of the pack.
    public let manifest: PackManifest

    /// The files that were left out: hidden ones, empty files of SQLite, and the description.
    public let ignored: [String]

    /// The possible problems, as sentences: indexes, constraints and generated columns whose values
    /// depend on the version of SQLite, with which the app's version may find other rows than the
    /// one that has built them; and what the further checks return.
    public let warnings: [String]

    /// Whether the folder contained the same pack already.
    public let isUnchanged: Bool
  }

  /// The description of the pack that is built.
  public var description: PackDescription

  /// The further checks, by the kind of file.
  public var checks: [PackFile.Kind: Check]

  /// A further check of all files together; `nil` by default.
  public var packCheck: PackCheck?

  /// Whether another pack at the destination is replaced; false by default.
  public var replacesPack = false

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - description: The description of the pack that is built.
  ///   - checks: Further checks, by the kind of file.
  ///   - packCheck: A further check of all files together.
  public init(
    _ description: PackDescription, checks: [PackFile.Kind: Check] = [:],
    packCheck: PackCheck? = nil
  ) {
    self.description = description
    self.checks = checks
    self.packCheck = packCheck
  }

  /// Builds a pack, blocking the caller's thread.
  ///
  /// The destination appears when it is complete. If it is the same pack already, it stays as it is.
  /// A replaced pack is removed when the new one is durable; after an error or a loss of power before
  /// that, it may lie next to the destination, in a hidden folder, until the next build removes it.
  ///
  /// - Parameters:
  ///   - source: The folder with the files, which are only read.
  ///   - destination: The folder of the pack, outside of `source`.
  /// - Returns: A report of what was built.
  /// - Throws: ``PackError`` with `.unsuitable` when a file could not be used, `.occupied` when the
  ///   destination is something else, `.invalidName`, `.invalidManifest`; `FileError`, with `.busy`
  ///   when another process builds the same pack.
  public func build(filesIn source: URL, to destination: URL) throws -> Report {
    let source = try FilePath(of: source).resolved()
    let destination = try FilePath(of: destination)
    let parent = try destination.directory.resolved()
    let target = parent.appending([destination.name])
    guard target.names(below: source) == nil else {
      throw PackError.destinationInSource(destination, source)
    }
    try target.refuseLink()
    let name = try description.name ?? PackName(destination.name)
    guard let version = description.version else { throw PackError.noVersion(of: name) }

    let lock = try FileLock(
      target.sibling(".\(target.name).lock"), guarding: target, waitingUpTo: .zero)
    let staging = Self.staging(target)
    // What a killed process left.
    try cleanUp(target)
    let report: Report
    do {
      var content = try PackContent(of: source, description)
      let files = try content.copy(to: staging)
      let warnings = try content.warnings + check(files, in: staging)
      let manifest = try PackManifest(
        name: name, version: version, edition: description.edition, files: files)
      let isUnchanged = try publish(manifest, staging, target)
      report = Report(
        manifest: manifest, ignored: content.ignored, warnings: warnings,
        isUnchanged: isUnchanged)
    } catch {
      // The first error is the one to report; what stays is removed by the next build.
      try? cleanUp(target)
      throw error
    }
    // Not above: after a sync that failed, a second one may succeed and change nothing.
    try cleanUp(target)
    lock.release()
    return report
  }

  /// Returns what the further checks warn of, each with the name of its file.
  private func check(_ files: [PackFile], in folder: FilePath) throws -> [String] {
    let warnings = try files.flatMap { file -> [String] in
      guard let check = checks[file.kind] else { return [] }
      do {
        return try check(folder.appending(file.path.names).url).map { "'\(file.path)': \($0)" }
      } catch {
        throw PackError.refusedByCheck(file.path, error)
      }
    }
    guard let packCheck else { return warnings }
    do {
      return try warnings + packCheck(folder.url, files)
    } catch let error as PackError {
      // It names its file.
      throw error
    } catch {
      throw PackError.refusedByCheck(error)
    }
  }

  // MARK: Publishing

  /// Gives the staging folder the destination's name; a pack that it replaces is not removed.
  ///
  /// - Returns: Whether the destination was the same pack already.
  private func publish(
    _ manifest: PackManifest, _ staging: FilePath, _ target: FilePath
  ) throws -> Bool {
    try staging.appending([PackManifest.fileName]).createFile(with: Array(manifest.data))
    try staging.syncNames()
    do throws(Errno) {
      // Replaces an empty folder.
      try SystemCalls.move(staging.text, to: target.text)
    } catch {
      guard [.notEmpty, .alreadyExists, .notDirectory].contains(error) else {
        throw FileError.couldNotMove(staging, error)
      }
      if try isPack(manifest, at: target) { return true }
      try replace(target, with: staging)
    }
    return false
  }

  private func isPack(_ manifest: PackManifest, at target: FilePath) throws -> Bool {
    let present: PackManifest
    do {
      present = try PackManifest(of: target)
    } catch let error as PackError {
      // Only a pack is replaced, though it may be a damaged one.
      if error.code == .notFound { throw PackError.noPack(at: target) }
      return false
    }
    guard present == manifest else { return false }
    let verification = try PackVerification(of: present, in: target)
    return verification.isWhole && verification.surplus.isEmpty
  }

  /// Exchanges a pack for the new one, in one step where the volume offers it.
  private func replace(_ target: FilePath, with staging: FilePath) throws {
    guard replacesPack else { throw PackError.occupied(target) }
    do throws(Errno) {
      do throws(Errno) {
        try SystemCalls.exchange(staging.text, with: target.text)
      } catch .notSupported {
        // A process that is killed between the two leaves what `cleanUp` brings back.
        try SystemCalls.move(target.text, to: Self.replaced(target).text)
        try SystemCalls.move(staging.text, to: target.text)
      }
    } catch {
      throw FileError.couldNotMove(staging, error)
    }
  }

  // MARK: Cleaning up

  /// Brings back a pack that was moved away and not replaced, and removes what builds left, when the
  /// names at the destination are durable.
  private func cleanUp(_ target: FilePath) throws {
    let (staging, replaced) = (Self.staging(target), Self.replaced(target))
    if try isPackFolder(replaced) { try bringBack(replaced, to: target) }
    // After a loss of power the names could be the former ones, and what is removed the only pack.
    try target.directory.syncNames()
    try FolderRemoval.remove(staging)
    // Without a pack at the destination, the replaced one is the only one.
    guard try isPackFolder(replaced), try isPackFolder(target) else { return }
    // Half removed it would be no pack, and stay.
    try move(replaced, to: staging)
    try target.directory.syncNames()
    try FolderRemoval.remove(staging)
  }

  /// Gives a replaced pack its name back, unless something other than an empty folder has it.
  private func bringBack(_ replaced: FilePath, to target: FilePath) throws {
    do throws(Errno) {
      try SystemCalls.move(replaced.text, to: target.text)
    } catch .notEmpty, .alreadyExists, .notDirectory {
      // The new pack, or what a script made meanwhile.
    } catch {
      throw FileError.couldNotMove(replaced, error)
    }
  }

  private func move(_ path: FilePath, to newPath: FilePath) throws {
    do throws(Errno) {
      try SystemCalls.move(path.text, to: newPath.text)
    } catch {
      throw FileError.couldNotMove(path, error)
    }
  }

  /// Returns whether a folder contains a manifest, which may be damaged: what `replace` moves away.
  private func isPackFolder(_ path: FilePath) throws -> Bool {
    try path.appending([PackManifest.fileName]).exists()
  }

  // A user may have a backup under a name like `.map.old`, and none under these.

  private static func staging(_ target: FilePath) -> FilePath {
    target.sibling(".\(target.name).holdfast-staging")
  }

  private static func replaced(_ target: FilePath) -> FilePath {
    target.sibling(".\(target.name).holdfast-replaced")
  }
}
