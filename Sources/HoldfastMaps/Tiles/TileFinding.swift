import HoldfastFiles

/// The result of examining the bytes of a tile, without the bytes.
struct TileFinding: Sendable {
  /// The kinds of contents, as those of ``TileContent``.
  enum Kind: Sendable {
    case empty
    case image(TileFormat)
    case brokenImage(TileFormat, String)
    /// A vector tile whose structure was read: whether it differs from the specification in what is drawn nevertheless,
    /// or has features that are not drawn.
    case vector(remark: VectorTileFault?, fault: VectorTileFault?)
    case mapLibreTile
    case brokenVector(VectorTileFault)
    case brokenCompression(InflationFault)
    case nested(TileCompression)
    case other(beginning: [UInt8])
  }

  let kind: Kind
  let compression: TileCompression

  /// The bytes in further members of gzip.
  private(set) var laterByteCount = 0

  /// The number of bytes after the end of the compressed ones.
  private(set) var trailingByteCount = 0

  /// Creates the finding of a tile in which nothing is wrong.
  init(sound kind: Kind, _ compression: TileCompression) {
    (self.kind, self.compression) = (kind, compression)
  }

  /// Reads the features of a tile.
  init(_ content: TileContent) {
    compression = content.compression
    laterByteCount = content.laterByteCount
    trailingByteCount = content.trailingByteCount
    switch content.kind {
    case .empty: kind = .empty
    case .image(let format): kind = .image(format)
    case .brokenImage(let format, let reason): kind = .brokenImage(format, reason)
    case .vector(let tile):
      do throws(VectorTileFault) {
        kind = .vector(remark: try tile.examineFeatures(), fault: nil)
      } catch {
        kind = .vector(remark: nil, fault: error)
      }
    case .mapLibreTile: kind = .mapLibreTile
    case .brokenVector(let fault): kind = .brokenVector(fault)
    case .brokenCompression(let fault): kind = .brokenCompression(fault)
    case .nested(let inner): kind = .nested(inner)
    case .other(let beginning): kind = .other(beginning: beginning)
    }
  }

  /// Whether nothing is wrong with the bytes, so that equal ones need not be read.
  var isSound: Bool {
    guard laterByteCount == 0, trailingByteCount == 0 else { return false }
    switch kind {
    case .image, .vector(remark: nil, fault: nil): return true
    default: return false
    }
  }
}
