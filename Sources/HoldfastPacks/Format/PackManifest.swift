public import Foundation
public import HoldfastFiles

/// The description of a pack: its name, its version and all its files, as `pack.json` contains it.
///
/// The bytes are part of a manifest: equal content is always written as the same bytes, and a
/// manifest that was read keeps the bytes that it was read from.
public struct PackManifest: Sendable {
  /// The name of the file in the pack's folder.
  public static let fileName = "pack.json"

  /// The format that this version writes and reads.
  public static let format = 1

  /// The pack's name.
  public let name: PackName

  /// The pack's version.
  public let version: PackVersion

  /// The pack's edition, such as a year; `nil` for a pack without editions.
  public let edition: PackEdition?

  /// The files, ordered by the bytes of their paths.
  public let files: [PackFile]

  /// The bytes of `pack.json`.
  public let data: Data

  /// The SHA-256 of ``data``.
  public let digest: SHA256Digest

  /// Creates a manifest.
  ///
  /// - Parameters:
  ///   - name: The pack's name.
  ///   - version: The pack's version.
  ///   - edition: The pack's edition, such as a year.
  ///   - files: The files, in any order.
  /// - Throws: ``PackError`` with `.invalidManifest` when there is no file, or when two files could
  ///   not lie in one folder on every volume.
  public init(
    name: PackName, version: PackVersion, edition: PackEdition? = nil, files: [PackFile]
  ) throws(PackError) {
    let files = files.sorted { $0.path < $1.path }
    if let flaw = Self.flaw(of: files) { throw .contradiction(flaw) }
    let json = PackManifestText.json(name: name, version: version, edition: edition, files: files)
    self.init(name, version, edition, files, data: Data(json.bytes))
  }

  /// Reads a manifest.
  ///
  /// Members that this version does not know are ignored.
  ///
  /// - Parameter data: The bytes of a `pack.json`.
  /// - Throws: ``PackError`` with `.newerFormat`, `.invalidManifest` or `.invalidName`.
  public init(data: Data) throws(PackError) {
    let text = try PackManifestText(data)
    let files = try text.packFiles().sorted { $0.path < $1.path }
    if let flaw = Self.flaw(of: files) { throw .contradiction(flaw) }
    self.init(
      try PackName(text.name), try PackVersion(text.version), try text.packEdition(), files,
      data: data)
  }

  private static func flaw(of files: [PackFile]) -> String? {
    if let flaw = PathCollision.first(in: files.map(\.path)) { return flaw }
    var sum: Int64 = 0
    for file in files {
      let (next, isTooLarge) = sum.addingReportingOverflow(file.content.byteCount)
      if isTooLarge { return "its files have more bytes together than a volume can hold" }
      sum = next
    }
    return nil
  }

  private init(
    _ name: PackName, _ version: PackVersion, _ edition: PackEdition?, _ files: [PackFile],
    data: Data
  ) {
    self.name = name
    self.version = version
    self.edition = edition
    self.files = files
    self.data = data
    var hasher = SHA256()
    hasher.update(data)
    digest = hasher.finalize()
  }

  /// The name of the generation's folder: the version, and 8 digits of the digest.
  public var generationName: String { "\(version)-\(digest.description.prefix(8))" }

  /// The length of all files, in bytes, without the manifest's.
  public var byteCount: Int64 {
    // It fits, or there is no manifest: see `flaw(of:)`.
    files.reduce(0) { $0 + $1.content.byteCount }
  }

  /// Returns the file with a path; `nil` when there is none.
  ///
  /// - Parameter path: The path below the pack's folder; compared byte for byte.
  /// - Returns: The file's description.
  public func file(at path: String) -> PackFile? {
    files.first { $0.path.description.utf8.elementsEqual(path.utf8) }
  }
}

extension PackManifest: Hashable {
  /// Whether two manifests have the same bytes.
  public static func == (left: PackManifest, right: PackManifest) -> Bool {
    left.digest == right.digest
  }

  /// Hashes the digest of the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
