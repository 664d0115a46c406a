/// Names of stops as lists of words, as the database stores up to ``most`` of them in one blob.
struct StoredNames: Equatable {
  /// The number of names in a blob.
  static let most = 4096
  /// The largest number of words and of stops in a blob, which bounds what damaged bytes can ask for.
  private static let mostValues = 1 << 22

  /// For each name, the number of its words.
  var wordCounts: [Int] = []
  /// For each name, how many of its words are the stop's own.
  var ownCounts: [Int] = []
  /// The numbers of the words, one name after the other.
  var words: [UInt32] = []
  /// For each name, the number of its stops.
  var stopCounts: [Int] = []
  /// The numbers of the stops, one name after the other.
  var sids: [Int64] = []

  init() {}

  mutating func append(_ other: StoredNames) {
    wordCounts += other.wordCounts
    ownCounts += other.ownCounts
    words += other.words
    stopCounts += other.stopCounts
    sids += other.sids
  }

  /// Appends a name.
  mutating func append(words: [UInt32], own: Int, sids: [Int64]) {
    wordCounts.append(words.count)
    ownCounts.append(own)
    self.words += words
    stopCounts.append(sids.count)
    self.sids += sids
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: wordCounts.count)
    writer.append(count: words.count)
    writer.append(count: sids.count)
    for column in [wordCounts, ownCounts, stopCounts] {
      IntegerColumn.append(column.map(Int64.init), to: &writer)
    }
    IntegerColumn.append(words.map(Int64.init), to: &writer)
    IntegerColumn.append(sids, to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Self.most)
    let wordCount = try reader.count(upTo: Self.mostValues)
    let stopCount = try reader.count(upTo: Self.mostValues)
    wordCounts = try IntegerColumn.read(Int.self, count, from: &reader)
    ownCounts = try IntegerColumn.read(Int.self, count, from: &reader)
    stopCounts = try IntegerColumn.read(Int.self, count, from: &reader)
    words = try IntegerColumn.read(UInt32.self, wordCount, from: &reader)
    sids = try IntegerColumn.read(stopCount, from: &reader)
    try reader.end()
    guard zip(ownCounts, wordCounts).allSatisfy({ (0...max(0, $1)).contains($0) }),
      try Self.sum(wordCounts) == wordCount, try Self.sum(stopCounts) == stopCount
    else { throw DamagedBytes() }
  }

  private static func sum(_ counts: [Int]) throws(DamagedBytes) -> Int {
    var sum = 0
    for count in counts {
      guard (0...mostValues).contains(count) else { throw DamagedBytes() }
      sum += count
    }
    return sum
  }
}

/// Words of stops' codes in the order of their bytes, as the database stores up to ``most`` of them
/// in one blob.
struct StoredCodes: Sendable {
  /// The number of words in a blob, so that a row fits into a page of the table's tree.
  static let most = 64

  /// The words; the same one may occur several times.
  var words: [String]
  /// The position of each word's stop among the stops of all names.
  var positions: [Int]

  init(words: [String], positions: [Int]) {
    (self.words, self.positions) = (words, positions)
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: words.count)
    IntegerColumn.append(positions.map(Int64.init), to: &writer)
    FrontCodedTexts.append(words, to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Self.most)
    positions = try IntegerColumn.read(Int.self, count, from: &reader)
    words = try FrontCodedTexts.read(count, from: &reader)
    try reader.end()
  }
}
