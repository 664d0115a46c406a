public import Foundation
import Holdfast
public import HoldfastFiles

/// The result of a comparison of a pack's folder with the pack's manifest.
///
/// ```swift
/// let verification = try PackVerification(of: folder)
/// guard verification.isWhole else { return show(verification.flaws) }
/// ```
public struct PackVerification: Sendable {
  /// The manifest.
  public let manifest: PackManifest

  /// The differences between the files and the manifest, ordered by path.
  public private(set) var flaws: [PackFileFlaw] = []

  /// The reasons files were not read to their end, by their paths.
  public private(set) var unread: [PackPath: FileError] = [:]

  /// The paths of files and folders that the manifest does not list, ordered by their bytes.
  ///
  /// They do no harm, and are not installed.
  public private(set) var surplus: [String] = []

  /// Whether every file is as the manifest says.
  public var isWhole: Bool { flaws.isEmpty && unread.isEmpty }

  /// Compares a folder with its manifest: lengths, digests, the headers of databases, and that no
  /// log lies next to one.
  ///
  /// Each file is read once.
  ///
  /// - Parameter folder: The folder that contains `pack.json`.
  /// - Throws: ``PackError`` with `.notFound`, `.newerFormat`, `.invalidManifest` or
  ///   `.invalidName`; `FileError` when the manifest or the folder cannot be read.
  public init(of folder: URL) throws {
    try self.init(of: PackManifest(of: folder), in: FilePath(of: folder))
  }

  /// Compares a folder with a manifest.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - folder: The folder.
  ///   - isStopped: Asked before each chunk of half a mebibyte.
  /// - Throws: `FileError` when the folder cannot be read, or the reading was stopped.
  package init(
    of manifest: PackManifest, in folder: FilePath, until isStopped: () -> Bool = { false }
  ) throws(FileError) {
    self.manifest = manifest
    for file in manifest.files {
      do throws(FileError) {
        flaws += try Self.flaws(of: file, in: folder, until: isStopped)
      } catch {
        if isStopped() { throw error }
        unread[file.path] = error
      }
    }
    surplus = try Self.surplus(in: folder, manifest)
  }

  // MARK: One file

  private static func flaws(
    of file: PackFile, in folder: FilePath, until isStopped: () -> Bool
  ) throws(FileError) -> [PackFileFlaw] {
    if let kind = try obstacle(to: file, in: folder) {
      return [PackFileFlaw(path: file.path, kind: kind)]
    }
    let path = folder.appending(file.path.names)
    var flaws: [PackFileFlaw] = []
    if let flaw = try contentFlaw(of: file, path, until: isStopped) { flaws.append(flaw) }
    if file.kind.isDatabase, let log = try DatabaseFiles(main: path).firstLogWithContent() {
      flaws.append(PackFileFlaw(path: file.path, kind: .log(log.name)))
    }
    return flaws
  }

  /// Returns why there is no plain file at the path; `nil` when there is one.
  private static func obstacle(
    to file: PackFile, in folder: FilePath
  ) throws(FileError) -> PackFileFlaw.Kind? {
    let names = file.path.names
    for count in 1...names.count {
      let path = folder.appending(Array(names.prefix(count)))
      do throws(Errno) {
        // A link in place of a folder would lead out of the pack.
        let expected: FileStatus.Kind = count == names.count ? .regular : .directory
        guard try SystemCalls.linkStatus(of: path.text).kind == expected else {
          return .notRegular
        }
      } catch {
        if [.notFound, .notDirectory].contains(error) { return .missing }
        throw .couldNotRead(path, error)
      }
    }
    return nil
  }

  private static func contentFlaw(
    of file: PackFile, _ path: FilePath, until isStopped: () -> Bool
  ) throws(FileError) -> PackFileFlaw? {
    let sealed = try ImmutableFile(path)
    let byteCount = sealed.status.byteCount
    // A file of another length is not read.
    guard byteCount == file.content.byteCount else {
      return PackFileFlaw(path: file.path, kind: .size(byteCount))
    }
    var start: [UInt8] = []
    let found = try sealed.digest(until: isStopped) { bytes in
      let missing = min(DatabaseHeader.byteCount - start.count, bytes.count)
      for index in 0..<missing { start.append(bytes[index]) }
    }
    if let flaw = PackFileFlaw.found(in: file, start: start, byteCount: found.byteCount) {
      return flaw
    }
    if found.sha256 == file.content.sha256 { return nil }
    return PackFileFlaw(path: file.path, kind: .digest(found.sha256))
  }

  // MARK: Surplus

  private static func surplus(
    in folder: FilePath, _ manifest: PackManifest
  ) throws(FileError) -> [String] {
    let listed = Set(manifest.files.map(\.path.folded)).union([PackManifest.fileName])
    return try FolderListing(of: folder).entries
      .filter { $0.kind != .directory && !listed.contains($0.path.lowercased()) }
      .map(\.path)
  }
}
