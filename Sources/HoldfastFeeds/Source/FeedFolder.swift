import Foundation
import Holdfast

/// The files of a folder, to the depth at which feeds are found in archives.
///
/// Links to folders are not followed, and only regular files are listed: opening a pipe would
/// block.
struct FeedFolder {
  struct Entry {
    /// The path below the folder.
    var path: String
    var size: Int
  }

  private static let deepest = 3
  private static let mostEntries = 10_000

  let name: String
  private let url: URL
  private(set) var entries: [Entry] = []

  init(at url: URL) throws(FeedError) {
    name = url.lastPathComponent
    self.url = url
    try list("", depth: 1)
  }

  private mutating func list(_ directory: String, depth: Int) throws(FeedError) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: file(directory))
        .map(ExactText.init).sorted().map(\.text)
    } catch {
      // Subfolders may belong to other users; only the given folder must be readable.
      if depth > 1 { return }
      throw .cannotRead(name, because: "its list of files is withheld", error)
    }
    var directories: [String] = []
    for name in names {
      let path = directory.isEmpty ? name : "\(directory)/\(name)"
      guard let (kind, size) = kindAndSize(of: path) else { continue }
      if kind == .typeDirectory { directories.append(path) }
      if kind == .typeRegular { entries.append(Entry(path: path, size: size)) }
    }
    if entries.count > Self.mostEntries { throw .folderTooLarge(name, limit: Self.mostEntries) }
    let holdsFeed = depth == 1 && entries.contains { FeedCatalog.marks($0.path) }
    if holdsFeed || depth == Self.deepest { return }
    for path in directories { try list(path, depth: depth + 1) }
  }

  private func kindAndSize(of path: String) -> (FileAttributeType, Int)? {
    // A file that cannot be examined is not part of the feed.
    guard let own = try? FileManager.default.attributesOfItem(atPath: file(path)),
      let kind = own[.type] as? FileAttributeType
    else { return nil }
    guard kind == .typeSymbolicLink else { return (kind, (own[.size] as? Int) ?? 0) }
    let target = URL(filePath: file(path)).resolvingSymlinksInPath().path(percentEncoded: false)
    // Nor is a link to such a file.
    guard let aim = try? FileManager.default.attributesOfItem(atPath: target),
      let kind = aim[.type] as? FileAttributeType, kind == .typeRegular
    else { return nil }
    return (kind, (aim[.size] as? Int) ?? 0)
  }

  private func file(_ path: String) -> String {
    url.appending(path: path).path(percentEncoded: false)
  }

  /// Opens a file as a source of bytes.
  func open(_ entry: Entry) throws(FeedError) -> ByteSource {
    let handle: FileHandle
    do {
      handle = try FileHandle(forReadingFrom: url.appending(path: entry.path))
    } catch {
      throw .cannotRead(entry.path, because: "the system refuses to open it", error)
    }
    return { buffer, range in
      do {
        let data = try handle.read(upToCount: range.count) ?? Data()
        return unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe data.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: bytes[range]))
        }
      } catch {
        throw FeedError.cannotRead(entry.path, because: "reading it broke off", error)
      }
    }
  }
}
