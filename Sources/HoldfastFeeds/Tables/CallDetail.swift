/// The details of a call that riders see besides its stop and its times; many rows share them.
struct CallDetail: Hashable {
  private static let blank = UInt64.max
  /// The bits of the small values, of which each takes three.
  private static let smallBits: UInt32 = (1 << 15) - 1
  // The bits of a word that say which words follow it.
  private static let hasHeadsign: UInt32 = 1 << 15
  private static let hasOthers: UInt32 = 1 << 16
  private static let hasDistance: UInt32 = 1 << 17
  /// The bit of ``hasWindow``.
  private static let windowBit: UInt32 = 1 << 18

  /// The bits of `shape_dist_traveled`; if it is blank, bits that no finite number has.
  private(set) var distanceBits = Self.blank
  /// The small values, each plus 1, and the bit of ``hasWindow``.
  private var smalls: UInt32 = 0
  /// The number of `stop_headsign`, -1 if blank.
  var headsign: Int32 = -1
  /// The number of the record of other columns, -1 if all are blank.
  var others: Int32 = -1

  /// `pickup_type`, -1 if blank.
  var pickupType: Int8 {
    get { small(0) }
    set { setSmall(0, newValue) }
  }
  /// `drop_off_type`, -1 if blank.
  var dropOffType: Int8 {
    get { small(3) }
    set { setSmall(3, newValue) }
  }
  /// `timepoint`, -1 if blank.
  var timepoint: Int8 {
    get { small(6) }
    set { setSmall(6, newValue) }
  }
  /// `continuous_pickup`, -1 if blank.
  var continuousPickup: Int8 {
    get { small(9) }
    set { setSmall(9, newValue) }
  }
  /// `continuous_drop_off`, -1 if blank.
  var continuousDropOff: Int8 {
    get { small(12) }
    set { setSmall(12, newValue) }
  }
  /// Whether `start_pickup_drop_off_window` or `end_pickup_drop_off_window` is given.
  var hasWindow: Bool {
    get { smalls & Self.windowBit != 0 }
    set { smalls = smalls & ~Self.windowBit | (newValue ? Self.windowBit : 0) }
  }
  /// `shape_dist_traveled`.
  var distance: Double? {
    get { distanceBits == Self.blank ? nil : Double(bitPattern: distanceBits) }
    set { distanceBits = newValue?.bitPattern ?? Self.blank }
  }

  @inline(__always) private func small(_ shift: UInt32) -> Int8 { Int8(smalls >> shift & 7) - 1 }

  @inline(__always) private mutating func setSmall(_ shift: UInt32, _ value: Int8) {
    smalls = smalls & ~(7 << shift) | UInt32(value + 1) << shift
  }

  // MARK: Words

  /// Appends the detail as words that can be compared.
  func append(to words: inout [UInt32]) {
    var first = smalls
    if headsign >= 0 { first |= Self.hasHeadsign }
    if others >= 0 { first |= Self.hasOthers }
    if distanceBits != Self.blank { first |= Self.hasDistance }
    words.append(first)
    if headsign >= 0 { words.append(UInt32(headsign)) }
    if others >= 0 { words.append(UInt32(others)) }
    if distanceBits != Self.blank {
      words.append(UInt32(truncatingIfNeeded: distanceBits))
      words.append(UInt32(truncatingIfNeeded: distanceBits >> 32))
    }
  }

  /// The detail without the distance as words.
  var wordsWithoutDistance: [UInt32] {
    var words: [UInt32] = []
    var detail = self
    detail.distanceBits = Self.blank
    detail.append(to: &words)
    return words
  }

  init() {}

  /// Reads words, and moves the index behind them.
  init(_ words: ArraySlice<UInt32>, _ index: inout Int) {
    func next() -> UInt32 {
      defer { index += 1 }
      return words[index]
    }
    let first = next()
    smalls = first & (Self.smallBits | Self.windowBit)
    if first & Self.hasHeadsign != 0 { headsign = Int32(next()) }
    if first & Self.hasOthers != 0 { others = Int32(next()) }
    if first & Self.hasDistance != 0 {
      let low = UInt64(next())
      distanceBits = UInt64(next()) << 32 | low
    }
  }

  /// Reads words without the distance.
  init(_ words: ArraySlice<UInt32>, distanceBits: UInt64) {
    var index = words.startIndex
    self.init(words, &index)
    self.distanceBits = distanceBits
  }

  /// Returns the number of words of a detail, which its first word tells.
  static func wordCount(_ first: UInt32) -> Int {
    1 + (first & hasHeadsign == 0 ? 0 : 1) + (first & hasOthers == 0 ? 0 : 1)
      + (first & hasDistance == 0 ? 0 : 2)
  }
}
