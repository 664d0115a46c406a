import HoldfastFiles

/// The header of a PMTiles archive: where its parts are, and what its tiles are.
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>, "Header"
public struct PMTilesHeader: Hashable, Sendable {
  /// How bytes of an archive are compressed.
  public enum Compression: UInt8, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case none, gzip, brotli, zstd

    /// The name, in small letters.
    public var name: String { "\(self)" }
  }

  /// The type of the tiles of an archive.
  public enum TileType: UInt8, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case mvt, png, jpeg, webp, avif, mlt

    /// The name, in small letters.
    public var name: String { "\(self)" }
  }

  /// Bytes of the archive.
  public struct Section: Hashable, Sendable {
    /// The place of the first byte, counted from the beginning of the archive.
    public var offset: UInt64
    /// The number of bytes.
    public var length: UInt64

    /// The place after the last byte; `nil` when there is no such number.
    var end: UInt64? {
      let (end, isTooLarge) = offset.addingReportingOverflow(length)
      return isTooLarge ? nil : end
    }
  }

  /// The number of bytes of a header.
  static let byteCount = 127

  /// The number of bytes at the beginning of an archive that contain the root directory.
  static let rootByteCount = 16_384

  private static let magic = Array("PMTiles".utf8)
  private static let version = 3

  /// The directory that leads to all tiles, in the first 16,384 bytes.
  public var rootDirectory = Section(offset: 0, length: 0)
  /// A JSON object.
  public var metadata = Section(offset: 0, length: 0)
  /// The directories to which the root leads; empty in a small archive.
  public var leafDirectories = Section(offset: 0, length: 0)
  /// The contents of the tiles.
  public var tileData = Section(offset: 0, length: 0)
  /// Whether the length of the tiles was one that no file has, and was replaced by all bytes up to the end.
  private(set) var hasImpossibleLength = false

  /// The number of tiles that can be asked for; 0 when it is not known.
  public var addressedTileCount: UInt64 = 0
  /// The number of entries for tiles in the directories; 0 when it is not known.
  public var tileEntryCount: UInt64 = 0
  /// The number of different contents of tiles; 0 when it is not known.
  public var tileContentCount: UInt64 = 0

  /// Whether the contents lie in the order of the numbers of their tiles.
  public var isClustered = false
  /// How directories and metadata are compressed.
  public var internalCompression = Compression.gzip
  /// How tiles are compressed.
  public var tileCompression = Compression.unknown
  /// The type of the tiles; unknown for a type of a later specification.
  public var tileType = TileType.unknown

  /// The first zoom level with tiles.
  public var minimumZoom = 0
  /// The last zoom level with tiles.
  public var maximumZoom = 0

  /// West, south, east and north, in ten millionths of a degree.
  var edges: [Int32] = [0, 0, 0, 0]
  /// The zoom level of the first view.
  public var centerZoom = 0
  /// The longitude and the latitude of the first view, in ten millionths of a degree.
  var center: [Int32] = [0, 0]

  /// Creates a header for an archive that is to be written.
  init() {}

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the archive.
  ///   - fileByteCount: The length of the archive.
  /// - Throws: ``PMTilesFault``.
  init(_ bytes: [UInt8], fileByteCount: Int64) throws(PMTilesFault) {
    guard let version = PMTilesStart.version(in: bytes) else {
      throw PMTilesFault("it is no PMTiles archive")
    }
    guard version == Self.version else {
      throw PMTilesFault(
        "it is a PMTiles archive of version \(version), and only version 3 is read"
      )
    }
    guard bytes.count >= Self.byteCount else { throw PMTilesFault("it is cut off in its header") }
    func number(_ offset: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }
    func section(_ offset: Int) -> Section {
      Section(offset: number(offset), length: number(offset + 8))
    }
    func degrees(_ offset: Int) -> Int32 {
      Int32(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) })
    }
    rootDirectory = section(8)
    metadata = section(24)
    leafDirectories = section(40)
    tileData = section(56)
    // tilemaker wrote a difference below zero where there are no leaf directories, and readers need no length.
    if tileData.length > UInt64(Int64.max), tileData.offset <= UInt64(clamping: fileByteCount) {
      tileData.length = UInt64(clamping: fileByteCount) - tileData.offset
      hasImpossibleLength = true
    }
    (addressedTileCount, tileEntryCount, tileContentCount) = (number(72), number(80), number(88))
    isClustered = bytes[96] == 1
    guard let internalCompression = Compression(rawValue: bytes[97]),
      let tileCompression = Compression(rawValue: bytes[98])
    else { throw PMTilesFault("its header names a compression that does not exist") }
    (self.internalCompression, self.tileCompression) = (internalCompression, tileCompression)
    // Later versions of the specification add types; the tiles can be read all the same.
    tileType = TileType(rawValue: bytes[99]) ?? .unknown
    (minimumZoom, maximumZoom) = (Int(bytes[100]), Int(bytes[101]))
    edges = [102, 106, 110, 114].map(degrees)
    centerZoom = Int(bytes[118])
    center = [119, 123].map(degrees)
    for (name, section) in [
      ("root directory", rootDirectory), ("metadata", metadata),
      ("leaf directories", leafDirectories), ("tiles", tileData),
    ] where section.length > 0 {
      guard let end = section.end, end <= UInt64(clamping: fileByteCount) else {
        throw PMTilesFault("it is cut off: the bytes of its \(name) lie past its end")
      }
    }
    guard rootDirectory.length > 0 else {
      // A header that a copy has lost has zeros, too.
      guard hasNoTiles, internalCompression != .unknown else {
        throw PMTilesFault("its header names no root directory")
      }
      throw .noEntries
    }
    guard let rootEnd = rootDirectory.end, rootEnd <= UInt64(Self.rootByteCount) else {
      throw PMTilesFault("its root directory is not in its first \(Self.rootByteCount) bytes")
    }
  }

  /// Whether nothing in the header is about a tile.
  var hasNoTiles: Bool {
    addressedTileCount == 0 && tileEntryCount == 0 && tileContentCount == 0 && tileData.length == 0
  }

  /// The bytes of the header.
  var bytes: [UInt8] {
    var bytes = Self.magic + [UInt8(Self.version)]
    func append(_ number: UInt64) {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))) }
    }
    func append(_ degrees: Int32) {
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: degrees >> Int32(8 * shift))) }
    }
    for section in [rootDirectory, metadata, leafDirectories, tileData] {
      append(section.offset)
      append(section.length)
    }
    for count in [addressedTileCount, tileEntryCount, tileContentCount] { append(count) }
    bytes += [
      isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue,
      tileType.rawValue, UInt8(clamping: minimumZoom), UInt8(clamping: maximumZoom),
    ]
    edges.forEach(append)
    bytes.append(UInt8(clamping: centerZoom))
    center.forEach(append)
    return bytes
  }

  // MARK: - Places

  /// The area of the tiles; `nil` when the header's is none.
  public var bounds: GeographicBounds? {
    get {
      let degrees = degrees
      return GeographicBounds(
        west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3])
    }
    set { edges = (newValue?.edges ?? [0, 0, 0, 0]).map(Self.units) }
  }

  /// The first view; `nil` when the header has none that exists.
  public var firstView: MapCenter? {
    get {
      MapCenter(
        longitude: Double(center[0]) / 10_000_000, latitude: Double(center[1]) / 10_000_000,
        zoom: centerZoom)
    }
    set {
      center = [newValue?.longitude ?? 0, newValue?.latitude ?? 0].map(Self.units)
      centerZoom = newValue?.zoom ?? 0
    }
  }

  /// The edges of the area as they are stored, in degrees: west, south, east, north.
  var degrees: [Double] { edges.map { Double($0) / 10_000_000 } }

  private static func units(_ degrees: Double) -> Int32 {
    Int32(min(max((degrees * 10_000_000).rounded(), -2_147_483_648), 2_147_483_647))
  }
}

/// The reason why an archive cannot be read.
struct PMTilesFault: Error, Hashable {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The fault of a directory that leads to no tile; the specification demands one entry or more.
  static let noEntries = PMTilesFault("a directory has no entries")
}
