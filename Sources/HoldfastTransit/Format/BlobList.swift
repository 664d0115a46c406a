import Holdfast

/// Blobs of rows before they are decoded, one after the other in one array.
struct BlobList: Sendable {
  private var bytes: [UInt8] = []
  /// The index after the last byte of each blob.
  private var ends: [Int] = []

  /// Appends a blob of a row.
  ///
  /// - Throws: ``DamagedBytes`` for a value that is no blob.
  mutating func append(_ row: Row, atIndex index: Int) throws(DamagedBytes) {
    guard row.appendBlob(atIndex: index, to: &bytes) else { throw DamagedBytes() }
    ends.append(bytes.count)
  }

  /// Returns a reader of a blob.
  func reader(_ index: Int) -> ByteReader {
    ByteReader(bytes, in: (index == 0 ? 0 : ends[index - 1])..<ends[index])
  }
}
