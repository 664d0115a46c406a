public import HoldfastFiles

/// A file of a pack, as the manifest describes it.
public struct PackFile: Hashable, Sendable {
  /// The kind of content of a file.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A SQLite database.
    case sqlite
    /// A SQLite database of map tiles.
    ///
    /// - SeeAlso: <https://github.com/mapbox/mbtiles-spec>
    case mbtiles
    /// A PMTiles archive of map tiles.
    ///
    /// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>
    case pmtiles
    /// A template of a map's style, in JSON.
    case style
    /// Any other content.
    case plain

    /// Whether the file is a SQLite database.
    public var isDatabase: Bool { self == .sqlite || self == .mbtiles }

    /// Whether the file is a tileset, in either format.
    public var isTileset: Bool { self == .mbtiles || self == .pmtiles }
  }

  /// The treatment of a file when its pack is installed.
  public enum Storage: String, Hashable, Sendable, CaseIterable {
    /// It is never modified, and belongs to one generation.
    case sealed
    /// It is the first content of a database that the app then writes, outside of the generations.
    case seeded
  }

  /// The numbers by which an application recognizes its databases.
  ///
  /// - SeeAlso: <https://sqlite.org/pragma.html#pragma_application_id>
  public struct Schema: Hashable, Sendable {
    /// The value of `PRAGMA application_id`.
    public var applicationID: Int32
    /// The value of `PRAGMA user_version`.
    public var userVersion: Int32

    /// Creates the numbers of a database.
    public init(applicationID: Int32, userVersion: Int32) {
      self.applicationID = applicationID
      self.userVersion = userVersion
    }
  }

  /// The path below the pack's folder.
  public let path: PackPath

  /// The length and the SHA-256 of the content.
  public let content: FileDigest

  /// The kind of content.
  public let kind: Kind

  /// The treatment of the file when the pack is installed.
  public let storage: Storage

  /// The numbers of a database; `nil` for other files.
  public let schema: Schema?

  /// The size of a database's pages, in bytes; `nil` for other files.
  public let pageSize: Int?

  /// The number of a database's pages; `nil` for other files.
  public var pageCount: Int64? {
    pageSize.map { content.byteCount / Int64($0) }
  }

  /// Creates the description of a file.
  ///
  /// - Parameters:
  ///   - path: The path below the pack's folder.
  ///   - content: The length and the SHA-256 of the content.
  ///   - kind: The kind of content.
  ///   - storage: The treatment of the file when the pack is installed.
  ///   - schema: The numbers of a database.
  ///   - pageSize: The size of a database's pages, in bytes.
  /// - Throws: ``PackError`` with `.invalidManifest` when these contradict each other.
  public init(
    path: PackPath, content: FileDigest, kind: Kind, storage: Storage = .sealed,
    schema: Schema? = nil, pageSize: Int? = nil
  ) throws(PackError) {
    self.path = path
    self.content = content
    self.kind = kind
    self.storage = storage
    self.schema = schema
    self.pageSize = pageSize
    if let flaw { throw .contradiction("'\(path)' \(flaw)") }
  }

  /// A predicate that says how the values contradict each other; `nil` when they do not.
  private var flaw: String? {
    if content.byteCount < 0 { return "has a negative size" }
    if storage == .seeded, kind != .sqlite {
      return "is seeded, which only a SQLite database can be"
    }
    guard kind.isDatabase else {
      return schema == nil && pageSize == nil ? nil : "has the numbers of a database, and is none"
    }
    guard schema != nil, let pageSize else { return "is a database, and its numbers are missing" }
    guard pageSize >= 512, pageSize <= 65536, pageSize & (pageSize - 1) == 0 else {
      return "has pages of \(pageSize) bytes, which SQLite does not know"
    }
    if content.byteCount == 0 || !content.byteCount.isMultiple(of: Int64(pageSize)) {
      return "has \(content.byteCount) bytes, which are no whole pages of \(pageSize)"
    }
    return nil
  }
}
