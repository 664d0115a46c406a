import Foundation
package import HoldfastFiles

/// What is remembered of the generations that were verified.
package struct VerificationMemory: Sendable {
  package let path: FilePath

  package init(_ path: FilePath) { self.path = path }

  private struct Stamp: Codable, Hashable {
    var byteCount: Int64
    var device: UInt64
    var inode: UInt64
    var modified: Int64
  }

  private typealias Stamps = [String: [String: Stamp]]

  private func stamps() -> Stamps {
    // Without a readable memory, nothing is remembered.
    guard let file = try? SystemCalls.openFile(path.text, for: .readPlain),
      let bytes = try? SystemCalls.readBytes(file, at: 0, count: 1 << 20)
    else { return [:] }
    return (try? JSONDecoder().decode(Stamps.self, from: Data(bytes))) ?? [:]
  }

  private func stamps(of manifest: PackManifest, in folder: FilePath) -> [String: Stamp]? {
    var stamps: [String: Stamp] = [:]
    for file in manifest.files {
      let path = folder.appending(file.path.names)
      guard let status = try? SystemCalls.linkStatus(of: path.text), status.kind == .regular,
        status.byteCount == file.content.byteCount
      else { return nil }
      stamps[file.path.description] = Stamp(
        byteCount: status.byteCount, device: status.device, inode: status.inode,
        modified: status.modified)
    }
    return stamps
  }

  package func state(
    of manifest: PackManifest, named name: String, in folder: FilePath
  ) -> InstalledPack.Generation.State {
    guard let present = stamps(of: manifest, in: folder) else { return .damaged }
    return stamps()[name] == present ? .whole : .unverified
  }

  package func remember(_ manifest: PackManifest, named name: String, in folder: FilePath) {
    guard let present = stamps(of: manifest, in: folder) else { return }
    var all = stamps()
    all[name] = present
    guard let data = try? JSONEncoder().encode(all) else { return }
    // A memory that cannot be written costs a verification.
    try? AtomicReplace(at: path.url).write { try data.write(to: $0) }
  }

  package func verify(
    _ manifest: PackManifest, named name: String, in folder: FilePath, until isStopped: () -> Bool
  ) throws -> InstalledPack.Generation.State {
    for file in manifest.files {
      let sealed = try SealedFile(folder.appending(file.path.names))
      guard try sealed.digest(until: isStopped) == file.content else { return .damaged }
    }
    remember(manifest, named: name, in: folder)
    return .whole
  }
}
