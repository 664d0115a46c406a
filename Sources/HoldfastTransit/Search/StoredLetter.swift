/// The best stops for a typed letter, as the database stores them in one blob.
struct StoredLetter {
  /// The number of stops: twice as many as a search returns without another limit.
  static let most = 100

  /// The stops, the best first.
  var sids: [Int64]

  init(sids: [Int64]) {
    self.sids = sids
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: sids.count)
    IntegerColumn.append(sids, to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    sids = try IntegerColumn.read(try reader.count(upTo: Self.most), from: &reader)
    try reader.end()
  }
}
