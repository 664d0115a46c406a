/// A stop or several, with everything that belongs to them and the times at which trips call there.
///
/// The times of a kind are sorted for the second question, because to sort them takes longer than to look
/// at all once, and then searched without a look at the patterns. Only the thread that holds the connection
/// uses a board.
final class StopBoard {
  /// A place of a pattern at which its trips call.
  struct Call {
    let pattern: BoardPattern
    /// The index in the pattern's ``BoardPattern/places``.
    let place: Int

    /// The index in the pattern.
    var index: Int { pattern.places[place].index }
  }

  /// Properties of a call by which it may be left out.
  struct Traits: OptionSet {
    let rawValue: UInt8

    static let first = Traits(rawValue: 1)
    static let last = Traits(rawValue: 2)
    static let withoutPickup = Traits(rawValue: 4)
    static let withoutDropOff = Traits(rawValue: 8)
  }

  /// A time at which a trip calls.
  struct Time {
    /// The seconds of the service day.
    let seconds: Int32
    /// The index of the call in the board.
    let call: Int32
    /// The index of the run in the call's pattern.
    let run: Int32
    /// The index of the service in the board.
    let service: Int32
  }

  /// The times of one kind of all calls in a zone.
  struct Times {
    fileprivate(set) var list: [Time]
    /// Whether the list is sorted.
    fileprivate(set) var isSorted = false

    /// Sorts the list.
    fileprivate mutating func sort() {
      // To sort numbers takes half as long as to sort the times.
      let order = list.indices.map { Int(list[$0].seconds) << 32 | $0 }.sorted()
      list = order.map { list[$0 & 0xffff_ffff] }
      isSorted = true
    }

    /// Returns the indices of the times, of a sorted list only those from a moment on.
    func indices(from seconds: Int) -> Range<Int> {
      guard isSorted else { return list.indices }
      var (low, high) = (0, list.count)
      while low < high {
        let middle = (low + high) / 2
        if Int(list[middle].seconds) < seconds { low = middle + 1 } else { high = middle }
      }
      return low..<list.count
    }
  }

  /// A call of a trip that repeats.
  struct Repetition {
    let call: Int
    /// The index in the call's pattern.
    let index: Int
    /// The index of the service in the board.
    let service: Int
  }

  /// The calls whose times are in one time zone.
  final class Zone {
    let zone: TimetableZone
    fileprivate(set) var calls: [Int] = []
    fileprivate(set) var repetitions: [Repetition] = []
    fileprivate var times: [CallEvent: Times] = [:]
    /// The latest time of all calls, in seconds of the service day.
    fileprivate(set) var latest = 0

    fileprivate init(_ zone: TimetableZone) {
      self.zone = zone
    }
  }

  /// The stops, and everything that belongs to them.
  let sids: Set<Int64>
  let calls: [Call]
  /// The traits of each call.
  let traits: [Traits]
  private(set) var zones: [Zone] = []
  private let services: [StoredService]
  private let serviceIndices: [Int32: Int32]
  private var running: [ServiceDay: [Bool]] = [:]

  /// The patterns, each once.
  var patterns: [BoardPattern] {
    var seen: Set<Int64> = []
    return calls.lazy.map(\.pattern).filter { seen.insert($0.pid).inserted }
  }

  /// Prepares a board.
  ///
  /// - Parameters:
  ///   - sids: The stops, and everything that belongs to them.
  ///   - calls: The places of patterns at which their trips call there.
  ///   - services: The services of their trips, by number.
  init(of sids: Set<Int64>, _ calls: [Call], services: [Int32: StoredService]) {
    (self.sids, self.calls) = (sids, calls)
    var indices: [Int32: Int32] = [:]
    for (index, service) in services.keys.sorted().enumerated() { indices[service] = Int32(index) }
    (serviceIndices, self.services) = (indices, services.sorted { $0.key < $1.key }.map(\.value))
    traits = calls.map { $0.pattern.traits($0.place) }
    for index in calls.indices { add(index) }
  }

  private func add(_ call: Int) {
    let pattern = calls[call].pattern
    let zone: Zone
    if let known = zones.first(where: { $0.zone === pattern.zone }) {
      zone = known
    } else {
      zone = Zone(pattern.zone)
      zones.append(zone)
    }
    zone.calls.append(call)
    zone.latest = max(zone.latest, pattern.latest)
    for (index, repetition) in pattern.repetitions.enumerated() {
      zone.repetitions.append(
        Repetition(
          call: call, index: index,
          service: Int(self.index(ofService: repetition.run.service))))
    }
  }

  private func index(ofService number: Int32) -> Int32 {
    guard let index = serviceIndices[number] else {
      preconditionFailure("A board is made without the service \(number).")
    }
    return index
  }

  /// The memory that the times of a pattern's calls take, in bytes.
  static func cost(ofRuns runs: Int, calls: Int) -> Int {
    CallEvent.allCases.count * runs * calls * MemoryLayout<Time>.stride + calls * 64
  }

  // MARK: - Times

  /// Returns the times of all calls in a zone, for a question.
  ///
  /// - Parameters:
  ///   - event: Which of the two times.
  ///   - zone: The zone.
  ///   - limit: The largest number of answers.
  /// - Returns: The times, sorted unless this is the first question and only few of them answer it.
  func times(_ event: CallEvent, in zone: Zone, forAtMost limit: Int) -> Times {
    var times: Times
    if let known = zone.times[event] {
      guard !known.isSorted else { return known }
      times = known
      times.sort()
    } else {
      times = Times(list: self.times(event, in: zone))
      if limit >= times.list.count / 64 { times.sort() }
    }
    zone.times[event] = times
    return times
  }

  private func times(_ event: CallEvent, in zone: Zone) -> [Time] {
    var times: [Time] = []
    times.reserveCapacity(zone.calls.reduce(0) { $0 + calls[$1].pattern.runs.count })
    for number in zone.calls {
      let (pattern, place) = (calls[number].pattern, calls[number].place)
      // Trips after one another mostly run on the same days.
      var last: (number: Int32, index: Int32)?
      for (run, value) in pattern.runs.enumerated() {
        guard let time = pattern.time(event, value.timing, place) else { continue }
        if last?.number != value.service {
          last = (value.service, self.index(ofService: value.service))
        }
        times.append(
          Time(
            // The pattern has checked that all its times fit.
            seconds: Int32(Int(value.start) + time), call: Int32(number), run: Int32(run),
            service: last?.index ?? 0))
      }
    }
    return times
  }

  /// Returns which services run on a day, by their indices.
  func runningServices(on day: ServiceDay) -> [Bool] {
    if let known = running[day] { return known }
    if running.count >= 32 { running = [:] }
    let list = services.map { $0.runs(on: day) }
    running[day] = list
    return list
  }
}

/// The two times of a call.
enum CallEvent: CaseIterable {
  case departure, arrival
}
