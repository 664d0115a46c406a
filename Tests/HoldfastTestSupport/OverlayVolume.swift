public import Foundation

/// A file system whose files have another device number than in the kernel's tables.
public final class OverlayVolume: Sendable {
  /// The folder at which it is mounted.
  public let url: URL

  private let upper: SmallVolume

  /// Whether this machine and user can mount one.
  public static let isPossible: Bool = {
    do {
      let directory = try TemporaryDirectory()
      return try withExtendedLifetime(OverlayVolume(in: directory)) { true }
    } catch {
      return false
    }
  }()

  /// Mounts an empty overlay.
  ///
  /// - Parameter directory: The folder for its layers.
  /// - Throws: An error when it cannot be mounted.
  public init(in directory: TemporaryDirectory) throws {
    url = directory.file("overlay")
    let lower = directory.file("lower")
    upper = try SmallVolume(at: directory.file("upper"), kilobytes: 4096)
    let (files, work) = (upper.url.appending(path: "files"), upper.url.appending(path: "work"))
    for folder in [url, lower, files, work] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try SmallVolume.run(
      "mount", "-t", "overlay", "-o",
      "lowerdir=\(lower.path),upperdir=\(files.path),workdir=\(work.path)", "overlay", url.path)
  }

  deinit {
    try? SmallVolume.run("umount", url.path)
  }
}
