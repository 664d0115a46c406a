/// A pattern with its timings and runs, as the database stores it in three blobs.
///
/// Texts and services are the numbers of the database's tables; 0 is a blank text.
struct StoredPattern {
  /// The largest numbers of elements in one row, which bound the memory that a damaged blob asks for.
  enum Limit {
    static let calls = TimetableContent.mostCalls
    static let runs = 1 << 20

    /// Returns the largest number of timings of a pattern.
    static func timings(ofCalls count: Int) -> Int { max(1, (1 << 22) / (count + 16)) }
  }

  struct Call: Equatable {
    var sid: Int64
    var sequence: Int32
    var pickupType: Int16?
    var dropOffType: Int16?
    var timepoint: Int16?
    var continuousPickup: Int16?
    var continuousDropOff: Int16?
    var headsign: Int32
    var distance: Double?
    var others: Int32
    /// Whether blank times are those of a window; it is stored with the times, and set only for that.
    var hasWindow = false
  }

  struct Run: Equatable {
    var tid: Int64
    var start: Int32
    var timing: Int32
    var service: Int32
    var headsign: Int32
    var shortName: Int32
    var block: Int32
    var shape: Int32
    var others: Int32
    var wheelchairAccessible: Int16?
    var bikesAllowed: Int16?
  }

  var calls: [Call]
  var timings: [TimetableContent.Timing]
  var runs: [Run]

  // MARK: - Calls

  /// The columns of calls that are not always stored; the bit of each is its raw value.
  enum CallColumn: UInt64, CaseIterable {
    case pickupType, dropOffType, timepoint, continuousPickup, continuousDropOff
    case headsign, others, distance

    var bit: UInt64 { 1 << rawValue }

    /// The values for a column of small numbers or texts; 0 is a blank value.
    fileprivate func values(_ calls: [Call]) -> [Int64] {
      switch self {
      case .pickupType: calls.map { code($0.pickupType) }
      case .dropOffType: calls.map { code($0.dropOffType) }
      case .timepoint: calls.map { code($0.timepoint) }
      case .continuousPickup: calls.map { code($0.continuousPickup) }
      case .continuousDropOff: calls.map { code($0.continuousDropOff) }
      case .headsign: calls.map { Int64($0.headsign) }
      case .others: calls.map { Int64($0.others) }
      case .distance: calls.map { $0.distance == nil ? 0 : 1 }
      }
    }
  }

  /// Returns the stored number of a small value: 0 if it is blank, else one more than it, because few
  /// are negative.
  private static func code(_ value: Int16?) -> Int64 { value.map { Int64($0) + 1 } ?? 0 }

  static func small(_ code: Int64) throws(DamagedBytes) -> Int16? {
    guard code != 0 else { return nil }
    guard let value = Int16(exactly: code &- 1) else { throw DamagedBytes() }
    return value
  }

  /// The bytes of the column `calls`.
  var callBytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: calls.count)
    let columns = CallColumn.allCases.map { ($0, $0.values(calls)) }
      .filter { $0.1.contains { $0 != 0 } }
    writer.append(unsigned: columns.reduce(0) { $0 | $1.0.bit })
    IntegerColumn.append(calls.map(\.sid), to: &writer)
    IntegerColumn.append(calls.map { Int64($0.sequence) }, to: &writer)
    for (column, values) in columns {
      IntegerColumn.append(values, to: &writer)
      if column == .distance { DistanceColumn.append(calls.compactMap(\.distance), to: &writer) }
    }
    return writer.bytes
  }

  static func calls(_ bytes: [UInt8]) throws(DamagedBytes) -> [Call] {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Limit.calls)
    let stored = try reader.unsigned()
    guard stored < CallColumn.distance.bit << 1 else { throw DamagedBytes() }
    var calls = [Call](repeating: Call(sid: 0, sequence: 0, headsign: 0, others: 0), count: count)
    var list = calls.mutableSpan
    // One array for all columns: to allocate one for each takes longer than to decode them.
    var codes: [Int64] = []
    try IntegerColumn.read(count, from: &reader, into: &codes)
    for index in 0..<count {
      guard codes[index] >= 0 else { throw DamagedBytes() }
      list[index].sid = codes[index]
    }
    try IntegerColumn.read(count, from: &reader, into: &codes)
    var last: Int32 = -1
    for index in 0..<count {
      let sequence = try number(codes[index])
      guard sequence > last else { throw DamagedBytes() }
      list[index].sequence = sequence
      last = sequence
    }
    for column in CallColumn.allCases where stored & column.bit != 0 {
      try IntegerColumn.read(count, from: &reader, into: &codes)
      switch column {
      case .pickupType: for index in 0..<count { list[index].pickupType = try small(codes[index]) }
      case .dropOffType:
        for index in 0..<count { list[index].dropOffType = try small(codes[index]) }
      case .timepoint: for index in 0..<count { list[index].timepoint = try small(codes[index]) }
      case .continuousPickup:
        for index in 0..<count { list[index].continuousPickup = try small(codes[index]) }
      case .continuousDropOff:
        for index in 0..<count { list[index].continuousDropOff = try small(codes[index]) }
      case .headsign: for index in 0..<count { list[index].headsign = try text(codes[index]) }
      case .others: for index in 0..<count { list[index].others = try text(codes[index]) }
      case .distance:
        let distances = try DistanceColumn.read(codes.count { $0 != 0 }, from: &reader)
        var next = 0
        for index in 0..<count where codes[index] != 0 {
          list[index].distance = distances[next]
          next += 1
        }
      }
    }
    try reader.end()
    return calls
  }

  static func number(_ code: Int64) throws(DamagedBytes) -> Int32 {
    guard let number = Int32(exactly: code) else { throw DamagedBytes() }
    return number
  }

  /// Returns the number of a text.
  private static func text(_ code: Int64) throws(DamagedBytes) -> Int32 {
    guard code >= 0 else { throw DamagedBytes() }
    return try number(code)
  }

  // MARK: - Timings

  /// The content of a pattern's timings: the bits of the first number of their bytes.
  private enum TimingContent {
    /// Departures that differ from arrivals.
    static let dwell: UInt64 = 1
    /// Blank times.
    static let blanks: UInt64 = 2
  }

  /// The bit of a call whose times are blank because it has a window.
  ///
  /// Readers of older versions look at the other two bits only.
  static let window: Int64 = 4

  /// The bytes of the column `timings`.
  ///
  /// All timings' travel times to one call lie next to each other: they differ least.
  var timingBytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: timings.count)
    let size = timings.count * calls.count
    var (travel, dwell, blanks) = ([Int64](), [Int64](), [Int64]())
    travel.reserveCapacity(size)
    dwell.reserveCapacity(size)
    blanks.reserveCapacity(size)
    var times = [Int64](repeating: 0, count: timings.count)
    for call in calls.indices {
      for (index, timing) in timings.enumerated() {
        let (arrival, departure) = (timing.arrivals[call], timing.departures[call])
        let isArrivalBlank = arrival == TimetableContent.Timing.blank
        let isDepartureBlank = departure == TimetableContent.Timing.blank
        let isWindow = isArrivalBlank && isDepartureBlank && calls[call].hasWindow
        blanks.append(
          (isArrivalBlank ? 1 : 0) | (isDepartureBlank ? 2 : 0)
            | (isWindow ? StoredPattern.window : 0))
        travel.append(isArrivalBlank ? 0 : Int64(arrival) - times[index])
        if !isArrivalBlank { times[index] = Int64(arrival) }
        dwell.append(isDepartureBlank ? 0 : Int64(departure) - times[index])
        if !isDepartureBlank { times[index] = Int64(departure) }
      }
    }
    let hasDwell = dwell.contains { $0 != 0 }
    let hasBlanks = blanks.contains { $0 != 0 }
    writer.append(
      unsigned: (hasDwell ? TimingContent.dwell : 0) | (hasBlanks ? TimingContent.blanks : 0))
    // The first call is stored apart: its times are 0 in almost every feed.
    let first = min(timings.count, travel.count)
    IntegerColumn.append(Array(travel[..<first]), to: &writer)
    IntegerColumn.append(Array(travel[first...]), to: &writer)
    if hasDwell { IntegerColumn.append(dwell, to: &writer) }
    if hasBlanks { IntegerColumn.append(blanks, to: &writer) }
    return writer.bytes
  }

  private static func timings(
    _ bytes: [UInt8], calls: Int
  ) throws(DamagedBytes) -> [TimetableContent.Timing] {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Limit.timings(ofCalls: calls))
    let content = try reader.unsigned()
    guard content <= TimingContent.dwell | TimingContent.blanks else { throw DamagedBytes() }
    let size = count * calls
    let first = min(count, size)
    let travel =
      try IntegerColumn.read(first, from: &reader)
      + IntegerColumn.read(size - first, from: &reader)
    let dwell =
      content & TimingContent.dwell == 0 ? [] : try IntegerColumn.read(size, from: &reader)
    let blanks =
      content & TimingContent.blanks == 0 ? [] : try IntegerColumn.read(size, from: &reader)
    try reader.end()
    var timings: [TimetableContent.Timing] = []
    timings.reserveCapacity(count)
    for timing in 0..<count {
      var (arrivals, departures) = ([Int32](), [Int32]())
      arrivals.reserveCapacity(calls)
      departures.reserveCapacity(calls)
      var time: Int64 = 0
      for call in 0..<calls {
        let index = call * count + timing
        let blank = blanks.isEmpty ? 0 : blanks[index]
        time &+= travel[index]
        arrivals.append(try offset(time, isBlank: blank & 1 != 0))
        if !dwell.isEmpty { time &+= dwell[index] }
        departures.append(try offset(time, isBlank: blank & 2 != 0))
      }
      timings.append(TimetableContent.Timing(arrivals: arrivals, departures: departures))
    }
    return timings
  }

  private static func offset(_ time: Int64, isBlank: Bool) throws(DamagedBytes) -> Int32 {
    if isBlank { return TimetableContent.Timing.blank }
    guard let time = Int32(exactly: time), time != TimetableContent.Timing.blank else {
      throw DamagedBytes()
    }
    return time
  }

  // MARK: - Runs

  /// The columns of runs that are not always stored; the bit of each is its raw value.
  enum RunColumn: UInt64, CaseIterable {
    case headsign, shortName, block, shape, others, wheelchairAccessible, bikesAllowed

    var bit: UInt64 { 1 << rawValue }

    fileprivate func values(_ runs: [Run]) -> [Int64] {
      switch self {
      case .headsign: runs.map { Int64($0.headsign) }
      case .shortName: runs.map { Int64($0.shortName) }
      case .block: runs.map { Int64($0.block) }
      case .shape: runs.map { Int64($0.shape) }
      case .others: runs.map { Int64($0.others) }
      case .wheelchairAccessible: runs.map { code($0.wheelchairAccessible) }
      case .bikesAllowed: runs.map { code($0.bikesAllowed) }
      }
    }
  }

  /// The bytes of the column `runs`, with the runs in an order that makes them few.
  ///
  /// Identifiers often follow the clock, and sometimes are random; the first case is smaller in their
  /// order, the second in the order of time.
  var runBytes: [UInt8] {
    let runsByNumber = runs.sorted { $0.tid < $1.tid }
    let runsByTime = runs.sorted {
      ($0.service, $0.start, $0.tid) < ($1.service, $1.start, $1.tid)
    }
    let byNumber = Self.bytes(of: runsByNumber)
    if runsByTime == runsByNumber { return byNumber }
    let byTime = Self.bytes(of: runsByTime)
    return byTime.count < byNumber.count ? byTime : byNumber
  }

  private static func bytes(of runs: [Run]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(count: runs.count)
    let columns = RunColumn.allCases.map { ($0, $0.values(runs)) }
      .filter { $0.1.contains { $0 != 0 } }
    writer.append(unsigned: columns.reduce(0) { $0 | $1.0.bit })
    IntegerColumn.append(runs.map(\.tid), to: &writer)
    IntegerColumn.append(runs.map { Int64($0.start) }, to: &writer)
    IntegerColumn.append(runs.map { Int64($0.timing) }, to: &writer)
    IntegerColumn.append(runs.map { Int64($0.service) }, to: &writer)
    for (_, values) in columns { IntegerColumn.append(values, to: &writer) }
    return writer.bytes
  }

  /// Decodes the runs, sorted by their starts.
  static func runs(_ bytes: [UInt8], timings: Int) throws(DamagedBytes) -> [Run] {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Limit.runs)
    let stored = try reader.unsigned()
    guard stored < RunColumn.bikesAllowed.bit << 1 else { throw DamagedBytes() }
    var runs = [Run](
      repeating: Run(
        tid: 0, start: 0, timing: 0, service: 0, headsign: 0, shortName: 0, block: 0, shape: 0,
        others: 0), count: count)
    var list = runs.mutableSpan
    var codes: [Int64] = []
    try IntegerColumn.read(count, from: &reader, into: &codes)
    for index in 0..<count {
      guard codes[index] > 0 else { throw DamagedBytes() }
      list[index].tid = codes[index]
    }
    try IntegerColumn.read(count, from: &reader, into: &codes)
    for index in 0..<count { list[index].start = try number(codes[index]) }
    try IntegerColumn.read(count, from: &reader, into: &codes)
    for index in 0..<count {
      let timing = try number(codes[index])
      guard timing >= 0, timing < timings else { throw DamagedBytes() }
      list[index].timing = timing
    }
    try IntegerColumn.read(count, from: &reader, into: &codes)
    for index in 0..<count {
      let service = try number(codes[index])
      guard service > 0 else { throw DamagedBytes() }
      list[index].service = service
    }
    for column in RunColumn.allCases where stored & column.bit != 0 {
      try IntegerColumn.read(count, from: &reader, into: &codes)
      switch column {
      case .headsign: for index in 0..<count { list[index].headsign = try text(codes[index]) }
      case .shortName: for index in 0..<count { list[index].shortName = try text(codes[index]) }
      case .block: for index in 0..<count { list[index].block = try text(codes[index]) }
      case .shape: for index in 0..<count { list[index].shape = try text(codes[index]) }
      case .others: for index in 0..<count { list[index].others = try text(codes[index]) }
      case .wheelchairAccessible:
        for index in 0..<count { list[index].wheelchairAccessible = try small(codes[index]) }
      case .bikesAllowed:
        for index in 0..<count { list[index].bikesAllowed = try small(codes[index]) }
      }
    }
    try reader.end()
    runs.sort { $0.start == $1.start ? $0.tid < $1.tid : $0.start < $1.start }
    return runs
  }
}

extension StoredPattern {
  /// The numbers of elements of a row, with which its blobs begin.
  struct Size {
    var calls = 0
    var timings = 0
    var runs = 0
  }

  /// Decodes the three blobs of a row; the runs are sorted by their starts.
  init(calls: [UInt8], timings: [UInt8], runs: [UInt8]) throws(DamagedBytes) {
    self.calls = try Self.calls(calls)
    self.timings = try Self.timings(timings, calls: self.calls.count)
    self.runs = try Self.runs(runs, timings: self.timings.count)
  }
}

extension StoredPattern.Size {
  /// Decodes the numbers with which the three blobs of a row begin.
  init(calls: [UInt8], timings: [UInt8], runs: [UInt8]) throws(DamagedBytes) {
    var (first, second, third) = (ByteReader(calls), ByteReader(timings), ByteReader(runs))
    self.calls = try first.count(upTo: StoredPattern.Limit.calls)
    self.timings = try second.count(upTo: StoredPattern.Limit.timings(ofCalls: self.calls))
    self.runs = try third.count(upTo: StoredPattern.Limit.runs)
  }
}
