package import Foundation
import Holdfast

/// A feed on disk: a zip archive, read in place, or a folder.
///
/// A feed in a single subdirectory is found, and files that operating systems add to archives are
/// ignored. Nothing is unpacked to disk. A source belongs to one thread at a time.
package final class FeedSource {
  /// One file of the feed.
  package struct File: Sendable, Equatable {
    /// The name as GTFS spells it.
    package var name: String
    /// The path as written in the archive or folder.
    package var path: String
    /// The uncompressed length in bytes.
    package var size: Int
    fileprivate var index: Int
  }

  private enum Storage {
    case archive(ZipArchive)
    case folder(FeedFolder)
    case merged(MergedFeed)
  }

  /// The last component of the feed's path.
  package let name: String
  /// The directory of the feed inside the archive or folder; empty at the top level.
  package let directory: String
  /// The files that GTFS defines, by name.
  package let files: [File]
  /// The names of the files in the same directory that GTFS does not define, and the paths of those in
  /// other directories.
  package let unknownFiles: [String]
  /// Those of them that are kept as text.
  package let otherFiles: [File]
  private let storage: Storage

  /// Whether the feed is an archive; otherwise it is a folder.
  package var isArchive: Bool {
    if case .archive = storage { true } else { false }
  }

  /// Opens a feed and finds its files.
  ///
  /// - Parameter url: The archive or folder.
  /// - Throws: ``FeedError`` with `.notFound`, `.unreadable`, `.notAFeed` or `.damaged`.
  package init(at url: URL) throws(FeedError) {
    name = url.lastPathComponent
    let path = url.path(percentEncoded: false)
    let paths: [String]
    let sizes: [Int]
    switch try Self.kind(of: path, named: name) {
    case .typeDirectory:
      let folder = try FeedFolder(at: url)
      storage = .folder(folder)
      (paths, sizes) = (folder.entries.map(\.path), folder.entries.map(\.size))
    case .typeRegular:
      let archive = try ZipArchive(at: url)
      storage = .archive(archive)
      (paths, sizes) = (archive.entries.map(\.path), archive.entries.map(\.size))
    default: throw .neitherFileNorFolder(name)
    }
    let layout = try FeedLayout(of: paths, in: name)
    directory = layout.directory
    files = layout.files.map {
      File(name: $0.name, path: $0.path, size: sizes[$0.index], index: $0.index)
    }
    unknownFiles = layout.unknown
    otherFiles = layout.others.map {
      File(name: $0.name, path: $0.path, size: sizes[$0.index], index: $0.index)
    }
    if case .archive(let archive) = storage {
      for file in files + otherFiles {
        try archive.checkSize(of: archive.entries[file.index])
      }
    }
  }

  /// Creates a source of several feeds, whose files are read as one.
  ///
  /// - Parameter feed: The feeds.
  init(_ feed: MergedFeed) {
    name = feed.parts.map(\.source.name).joined(separator: " + ")
    directory = ""
    files = Self.merged(feed.parts.map(\.source.files))
    otherFiles = Self.merged(feed.parts.map(\.source.otherFiles))
    unknownFiles = Set(feed.parts.flatMap(\.source.unknownFiles).map(ExactText.init)).sorted()
      .map(\.text)
    storage = .merged(feed)
  }

  private static func merged(_ lists: [[File]]) -> [File] {
    var sizes: [ExactText: Int] = [:]
    for file in lists.joined() {
      sizes[ExactText(file.name)] =
        sizes[ExactText(file.name), default: 0].addingReportingOverflow(file.size).partialValue
    }
    return sizes.sorted { $0.key < $1.key }.map {
      File(name: $0.key.text, path: $0.key.text, size: $0.value, index: 0)
    }
  }

  /// The feeds that are read as one, if there are several.
  var mergedFeed: MergedFeed? {
    if case .merged(let feed) = storage { feed } else { nil }
  }

  /// Opens a file as a source of bytes, read directly from the archive.
  ///
  /// - Parameter file: One of ``files`` or ``otherFiles``.
  /// - Returns: A source of the bytes. The source of another file of the feed may not be used at the
  ///   same time by another thread.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; the source throws these too.
  func open(_ file: File) throws -> ByteSource {
    switch storage {
    case .merged(let feed): try feed.open(file.name)
    case .archive(let archive): try archive.open(archive.entries[file.index])
    case .folder(let folder): try folder.open(folder.entries[file.index])
    }
  }

  /// Returns the same file of each feed, if several are read as one.
  ///
  /// - Parameter file: One of ``files``.
  /// - Returns: The files in the order of the feeds, with the prefix of their identifiers. One is
  ///   opened and read after the other.
  func parts(of file: File) -> [(prefix: String, open: () throws -> ByteSource)] {
    guard case .merged(let feed) = storage else { return [("", { try self.open(file) })] }
    return feed.parts.compactMap { part in
      guard let own = part.source.files.first(where: { $0.name == file.name }) else { return nil }
      return (part.prefix, { try part.source.open(own) })
    }
  }

  private static func kind(of path: String, named name: String) throws(FeedError)
    -> FileAttributeType
  {
    // The system would truncate a path at a NUL.
    guard !path.utf8.contains(0) else { throw .nothing(at: name) }
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    do {
      let attributes = try FileManager.default.attributesOfItem(atPath: resolved)
      return attributes[.type] as? FileAttributeType ?? .typeUnknown
    } catch {
      if FileManager.default.fileExists(atPath: resolved) {
        throw .cannotRead(name, because: "its attributes are withheld", error)
      }
      throw .nothing(at: name)
    }
  }
}
