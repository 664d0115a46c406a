package import HoldfastFiles

/// The kind of a tile's content, found by decompressing and reading all of its bytes.
package struct TileContent: Sendable {
  /// The kinds of contents.
  package enum Kind: Sendable {
    /// Nothing: a blank tile.
    case empty
    /// An image, of which the structure is known.
    case image(TileFormat)
    /// An image that is not whole, and why.
    case brokenImage(TileFormat, String)
    /// A vector tile whose structure was read.
    case vector(VectorTile)
    /// A MapLibre tile, which is not read.
    case mapLibreTile
    /// A vector tile that does not follow the specification.
    case brokenVector(VectorTileFault)
    /// Compressed bytes that cannot be decompressed.
    case brokenCompression(InflationFault)
    /// Bytes that are compressed once more.
    case nested(TileCompression)
    /// Anything else.
    case other(beginning: [UInt8])
  }

  /// How the bytes are compressed.
  package let compression: TileCompression

  /// The kind of the content.
  package let kind: Kind

  /// The bytes in further members of gzip, which MapLibre Native does not read.
  package let laterByteCount: Int

  /// The number of bytes after the end of the compressed ones.
  package let trailingByteCount: Int

  /// Reads a tile.
  ///
  /// - Parameters:
  ///   - bytes: The tile's bytes, as stored.
  ///   - inflater: The decompressor, which may be used for one tile after the other.
  package init(_ bytes: [UInt8], with inflater: ZlibInflater) {
    let compression = TileCompression(firstBytesOf: bytes)
    guard compression != .none else {
      self.init(kind: Self.kind(of: bytes, with: inflater, isInflated: false))
      return
    }
    do throws(InflationFault) {
      let content = try inflater.inflate(bytes, most: ReadingLimit.tileContent.most)
      self.init(
        kind: Self.kind(of: content.bytes, with: inflater, isInflated: true),
        compression: compression, laterByteCount: content.laterByteCount,
        trailingByteCount: content.trailingByteCount)
    } catch {
      // Such a length of its first layer, 120 bytes, makes a MapLibre tile begin like zlib.
      let isMapLibreTile = compression == .zlib && TileFormat.beginsWithMapLibreLayer(bytes)
      self.init(
        kind: isMapLibreTile ? .mapLibreTile : .brokenCompression(error),
        compression: isMapLibreTile ? .none : compression)
    }
  }

  /// Reads a tile that was decompressed, and of which nothing else is stored.
  init(
    inflated bytes: [UInt8], _ compression: TileCompression, with inflater: ZlibInflater
  ) {
    self.init(
      kind: Self.kind(of: bytes, with: inflater, isInflated: true), compression: compression)
  }

  /// The format; `nil` for an empty tile, and for bytes of no known format.
  package var format: TileFormat? {
    switch kind {
    case .image(let format), .brokenImage(let format, _): format
    case .vector, .brokenVector: .pbf
    case .mapLibreTile: .mlt
    case .empty, .brokenCompression, .nested, .other: nil
    }
  }

  private init(
    kind: Kind, compression: TileCompression = .none, laterByteCount: Int = 0,
    trailingByteCount: Int = 0
  ) {
    (self.kind, self.compression) = (kind, compression)
    (self.laterByteCount, self.trailingByteCount) = (laterByteCount, trailingByteCount)
  }

  private static func kind(
    of bytes: [UInt8], with inflater: ZlibInflater, isInflated: Bool
  ) -> Kind {
    if bytes.isEmpty { return .empty }
    if let image = TileFormat(imageWithFirstBytes: bytes) {
      return TileImage.fault(in: bytes, image, with: inflater).map { .brokenImage(image, $0) }
        ?? .image(image)
    }
    let fault: VectorTileFault?
    do throws(VectorTileFault) {
      let tile = try VectorTile(bytes)
      // Other bytes may happen to be fields that vector tiles do not have.
      if !tile.layers.isEmpty { return .vector(tile) }
      fault = nil
    } catch {
      fault = error
    }
    let compression = TileCompression(firstBytesOf: bytes)
    if isInflated, compression != .none, isInflatable(bytes, with: inflater) {
      return .nested(compression)
    }
    if TileFormat.beginsWithMapLibreLayer(bytes) { return .mapLibreTile }
    if let fault, bytes.first == 0x1A { return .brokenVector(fault) }
    return .other(beginning: Array(bytes.prefix(64)))
  }

  private static func isInflatable(_ bytes: [UInt8], with inflater: ZlibInflater) -> Bool {
    do throws(InflationFault) {
      _ = try inflater.inflate(bytes, most: ReadingLimit.tileContent.most)
      return true
    } catch {
      // Bytes that only begin like compressed ones are something else.
      return false
    }
  }
}
