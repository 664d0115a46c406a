import Foundation
import HoldfastFeeds
import HoldfastFiles
import HoldfastPacks

/// A ZIP archive that contains a pack, at its top level or in a folder of its own.
struct PackArchive {
  let manifest: PackManifest

  private let archive: ZipArchive
  private let name: String
  /// The entries by their exact paths.
  private var entries: [[UInt8]: ZipArchive.Entry] = [:]
  private let prefix: String
  /// Whether the names of folders end with a backslash, as in archives that some programs make on Windows.
  private let hasBackslashes: Bool

  private static let backslash = UInt8(ascii: "\\")

  init(at url: URL) throws {
    name = url.relativePath
    archive = try ZipArchive(at: url)
    for entry in archive.entries {
      guard entries.updateValue(entry, forKey: Array(entry.path.utf8)) == nil else {
        throw ToolError.entryTwice(entry.path, in: name)
      }
    }
    // On other systems than Windows a backslash is a part of a name.
    var manifests = archive.entries.filter { Self.isManifest($0.path, UInt8(ascii: "/")) }
    if manifests.isEmpty {
      manifests = archive.entries.filter { Self.isManifest($0.path, Self.backslash) }
    }
    guard let entry = manifests.first else { throw ToolError.archiveWithoutPack(name) }
    guard manifests.count == 1 else {
      throw ToolError.archiveWithPacks(name, manifests.map(\.path))
    }
    prefix = String(
      decoding: entry.path.utf8.dropLast(PackManifest.fileName.utf8.count), as: UTF8.self)
    hasBackslashes = prefix.utf8.last == Self.backslash
    guard entry.size <= ReadingLimit.packManifest.most else {
      throw ToolError.manifestTooLong(entry.path, in: name)
    }
    var data = Data()
    let read = try archive.open(entry)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = try read(&buffer, buffer.indices), count > 0 { data += buffer[..<count] }
    manifest = try PackManifest(data: data)
  }

  /// Whether a path names a manifest, at the top level or in one folder.
  private static func isManifest(_ path: String, _ separator: UInt8) -> Bool {
    let names = path.utf8.split(separator: separator, omittingEmptySubsequences: false)
    return names.count <= 2 && names.last?.elementsEqual(PackManifest.fileName.utf8) == true
  }

  /// Writes the manifest and the files that it lists.
  ///
  /// - Parameter folder: An empty folder.
  /// - Throws: ``ToolError`` when a file is missing or has another length than the manifest says, or
  ///   the volume has no space for all; `FeedError` when the archive is damaged; `FileError`.
  func unpack(to folder: FilePath) throws {
    var chosen: [(PackFile, ZipArchive.Entry)] = []
    for file in manifest.files {
      guard let entry = entry(of: file.path) else {
        throw ToolError.fileMissing(file.path.description, in: name)
      }
      guard Int64(entry.size) == file.content.byteCount else {
        throw ToolError.otherLength(
          file.path.description, in: name, found: entry.size, expected: file.content.byteCount)
      }
      chosen.append((file, entry))
    }
    let free = try free(folder)
    guard free >= manifest.byteCount else {
      throw ToolError.noSpaceToUnpack(name, needed: manifest.byteCount, free: free)
    }
    var folders: Set<[[UInt8]]> = []
    for (file, entry) in chosen {
      let names = file.path.names
      for count in 1..<max(names.count, 1)
      where folders.insert(names.prefix(count).map { Array($0.utf8) }).inserted {
        try make(folder.appending(Array(names.prefix(count))))
      }
      try write(archive.open(entry), to: folder.appending(names))
    }
    let data = Array(manifest.data)
    var rest = data[...]
    try write(
      { buffer, range in
        let next = rest.prefix(range.count)
        buffer.replaceSubrange(range.prefix(next.count), with: next)
        rest = rest.dropFirst(next.count)
        return next.count
      }, to: folder.appending([PackManifest.fileName]))
  }

  private func entry(of path: PackPath) -> ZipArchive.Entry? {
    let name = Array((prefix + path.description).utf8)
    guard hasBackslashes || prefix.isEmpty else { return entries[name] }
    return entries[name] ?? entries[name.map { $0 == UInt8(ascii: "/") ? Self.backslash : $0 }]
  }

  private func free(_ folder: FilePath) throws -> Int64 {
    do throws(Errno) {
      return try SystemCalls.freeSpace(at: folder.text)
    } catch {
      throw FileError.couldNotRead(folder, error)
    }
  }

  private func make(_ folder: FilePath) throws {
    do throws(Errno) {
      try SystemCalls.makeDirectory(folder.text)
    } catch {
      throw ToolError.notUnpacked(name, reason: SystemCalls.description(of: error))
    }
  }

  private func write(_ read: ByteSource, to path: FilePath) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    do {
      let file = try SystemCalls.openFile(path.text, for: .createNew)
      while case let count = try read(&buffer, buffer.indices), count > 0 {
        try SystemCalls.writeBytes(file, buffer, count: count)
      }
      try file.close()
    } catch let error as Errno {
      throw ToolError.notUnpacked(name, reason: SystemCalls.description(of: error))
    }
  }
}
