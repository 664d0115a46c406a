/// The first bytes of a PMTiles archive, which name its version.
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/tree/main/spec>, "Header" of each version
package enum PMTilesStart {
  /// The number of bytes that show whether a file is an archive.
  package static let byteCount = 11

  /// The number of bytes at the beginning of an archive of version 1 or 2 that contain its metadata and its root
  /// directory.
  private static let oldHeaderByteCount = 512_000

  /// Returns the version of an archive; `nil` for every other file.
  ///
  /// - Parameter bytes: The first bytes of the file: ``byteCount`` of them, unless it has fewer.
  /// - Returns: The version, also one that does not exist; 0 for an archive that ends before it.
  package static func version(in bytes: some Collection<UInt8>) -> Int? {
    let start = Array(bytes.prefix(byteCount))
    if start.starts(with: "PMTiles".utf8) { return start.count > 7 ? Int(start[7]) : 0 }
    // Versions 1 and 2 have no more of the name, so that other files may begin with it too.
    guard start.count == byteCount, start.starts(with: "PM".utf8), (1...2).contains(start[2]),
      start[3] == 0
    else { return nil }
    func number(_ places: Range<Int>) -> Int {
      places.reversed().reduce(0) { $0 << 8 | Int(start[$1]) }
    }
    // "4 bytes, the length of metadata", "2 bytes, the number of entries": "N * 17 bytes, the root directory".
    let (metadata, entryCount) = (number(4..<8), number(8..<10))
    let isWhole = metadata > 0 && 10 + metadata + 17 * entryCount <= oldHeaderByteCount
    return isWhole && start[10] == UInt8(ascii: "{") ? Int(start[2]) : nil
  }
}
