import Foundation
package import HoldfastFiles

/// The memory of which generations were verified, and of what their files were like then.
///
/// It is void for a generation as soon as one of its files has another length, inode, device or
/// time. A file that is missing or damaged says nothing, so the worst that a crash causes is that
/// files are read once more.
///
/// - Important: Setting an attribute changes a file's time. Set those that are wrong, and remember
///   the generation after that.
package struct VerificationMemory: Sendable {
  /// The facts that the file system states of a file that was not modified.
  struct Stamp: Hashable, Codable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int64
    var modified: Int64
    var changed: Int64

    init(_ status: FileStatus) {
      device = status.device
      inode = status.inode
      size = status.byteCount
      modified = status.modified
      changed = status.changed
    }
  }

  struct Entry: Hashable, Codable, Sendable {
    /// The digest of the manifest.
    var digest: SHA256Digest
    /// The stamps in the order of the manifest's files.
    var stamps: [Stamp]
  }

  private struct Text: Codable {
    var format: Int
    var generations: [String: Entry]
  }

  private static let format = 1
  private static let byteLimit = 4 * 1024 * 1024

  private let path: FilePath
  private let generations: [String: Entry]

  /// Reads the memory.
  ///
  /// - Parameter path: The path of its file.
  package init(_ path: FilePath) {
    self.path = path
    generations = Self.read(path) ?? [:]
  }

  /// Returns what is known of a generation without reading its files.
  ///
  /// - Parameters:
  ///   - manifest: The generation's manifest.
  ///   - name: The name of its folder.
  ///   - folder: The path of its folder.
  /// - Returns: `.damaged` when a file is missing or has another length, `.whole` when all files are
  ///   as they were when they were verified, `.unverified` otherwise.
  package func state(
    of manifest: PackManifest, named name: String, in folder: FilePath
  ) -> GenerationState {
    var stamps: [Stamp] = []
    for file in manifest.files {
      do throws(Errno) {
        let status = try SystemCalls.linkStatus(of: folder.appending(file.path.names).text)
        guard status.kind == .regular, status.byteCount == file.content.byteCount else {
          return .damaged
        }
        stamps.append(Stamp(status))
      } catch .notFound, .notDirectory {
        return .damaged
      } catch {
        // Without an answer, nothing is known.
        return .unverified
      }
    }
    let entry = Entry(digest: manifest.digest, stamps: stamps)
    return generations[name] == entry ? .whole : .unverified
  }

  /// Verifies a generation, and remembers it if it is whole.
  ///
  /// - Parameters:
  ///   - manifest: The generation's manifest.
  ///   - name: The name of its folder.
  ///   - folder: The path of its folder.
  ///   - isStopped: Asked before each chunk of half a mebibyte.
  /// - Returns: `.whole` or `.damaged`.
  /// - Throws: `FileError` when a file cannot be read, which proves no damage, or when the reading
  ///   was stopped.
  package func verify(
    _ manifest: PackManifest, named name: String, in folder: FilePath,
    until isStopped: () -> Bool = { false }
  ) throws(FileError) -> GenerationState {
    // Taken before the reading, so that a change during it is noticed later.
    let stamps = Self.stamps(of: manifest, in: folder)
    let verification = try PackVerification(of: manifest, in: folder, until: isStopped)
    guard verification.flaws.isEmpty else { return .damaged }
    if let error = verification.unread.values.first { throw error }
    if let stamps { remember(Entry(digest: manifest.digest, stamps: stamps), named: name) }
    return .whole
  }

  /// Remembers that a generation was verified, by its files as they are now.
  ///
  /// - Parameters:
  ///   - manifest: The generation's manifest.
  ///   - name: The name of its folder.
  ///   - folder: The path of its folder.
  package func remember(_ manifest: PackManifest, named name: String, in folder: FilePath) {
    guard let stamps = Self.stamps(of: manifest, in: folder) else { return }
    remember(Entry(digest: manifest.digest, stamps: stamps), named: name)
  }

  private static func stamps(of manifest: PackManifest, in folder: FilePath) -> [Stamp]? {
    do throws(Errno) {
      var stamps: [Stamp] = []
      for file in manifest.files {
        stamps.append(
          Stamp(try SystemCalls.linkStatus(of: folder.appending(file.path.names).text)))
      }
      return stamps
    } catch {
      // What cannot be examined is not remembered.
      return nil
    }
  }

  // MARK: The file

  private static func read(_ path: FilePath) -> [String: Entry]? {
    do {
      guard case .bytes(let bytes) = try SmallFile(at: path, upTo: byteLimit) else { return nil }
      let text = try JSONDecoder().decode(Text.self, from: Data(bytes))
      return text.format == format ? text.generations : nil
    } catch _ {
      // Without a memory, the files are read.
      return nil
    }
  }

  private func remember(_ entry: Entry, named name: String) {
    // Read again, because another process may have added to it.
    var generations = Self.read(path) ?? [:]
    guard generations[name] != entry else { return }
    generations[name] = entry
    // What cannot be examined may come back.
    let present = generations.filter { (try? path.sibling($0.key).exists()) ?? true }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      try write(Array(encoder.encode(Text(format: Self.format, generations: present))))
    } catch _ {
      // What is not remembered is read again.
    }
  }

  /// Replaces the file in one step, without waiting for the disk, because nothing is lost with it.
  private func write(_ bytes: [UInt8]) throws {
    // A name of its own instead of a lock, which a suspension would have to release. Of two processes
    // at once, one may forget what the other has verified, and reads it again.
    let staging = PackFolder(path.directory).staging(path.name)
    do {
      let file = try SystemCalls.openFile(staging.text, for: .createNew)
      try SystemCalls.writeBytes(file, bytes, count: bytes.count)
      try file.close()
      try SystemCalls.move(staging.text, to: path.text)
    } catch {
      // Otherwise the next clean-up removes it.
      try? SystemCalls.remove(staging.text)
      throw error
    }
  }
}
