/// The trips, times and services of a feed as plain values, before they are written in the compact
/// format.
///
/// The importer fills one of these, and a ``TimetableWriter`` writes it inside the importer's
/// transaction, after the stops, routes and agencies. The importer is free in the order of patterns,
/// timings, runs, services and texts: the writer puts each into an order that depends on the content
/// only, and numbers them itself. What the importer guarantees:
///
/// - Every index is valid: of a run's pattern, timing and service, of a frequency's run, of a text.
/// - Equal patterns, equal timings of one pattern and equal texts occur once; so do the `trip_id`,
///   the number of a trip, the `service_id`, and a service's exception for one day.
/// - The names of other columns are sorted by their bytes, and none is blank in every row, so that
///   the order of columns in the feed does not matter.
/// - A pattern's calls are sorted by `stop_sequence`, which is unique in it, and each `sid` and `rid`
///   is one of the `stops` and `routes` tables.
/// - A timing has as many times as its pattern has calls, at most ``mostCalls``.
///
/// A violation is a programming error and traps with a sentence; flaws of a feed are the importer's
/// to refuse, to drop or to keep.
package struct TimetableContent: Sendable {
  /// A text that several rows share; the index into ``texts``, or -1 for a blank value.
  package typealias TextIndex = Int32

  /// The largest number of calls of a pattern.
  package static let mostCalls = 1 << 20

  /// A stop within a pattern: the columns of `stop_times.txt` that do not depend on the time.
  package struct Call: Hashable, Sendable {
    /// The stop's number; 0 if the row names no stop of `stops.txt`, as flexible services do.
    package var sid: Int64
    /// `stop_sequence`; not negative.
    package var sequence: Int32
    /// `pickup_type`; `nil` if blank.
    package var pickupType: Int16?
    /// `drop_off_type`; `nil` if blank.
    package var dropOffType: Int16?
    /// `timepoint`; `nil` if blank.
    package var timepoint: Int16?
    /// `continuous_pickup`; `nil` if blank.
    package var continuousPickup: Int16?
    /// `continuous_drop_off`; `nil` if blank.
    package var continuousDropOff: Int16?
    /// `stop_headsign`.
    package var headsign: TextIndex
    /// `shape_dist_traveled`, finite; `nil` if blank.
    package var distance: Double?
    /// The other columns: the values of ``TimetableContent/stopTimeColumns`` as one CSV record
    /// without a line end; -1 if all are blank.
    package var others: TextIndex
    /// Whether riders are served within a window of time, so that blank times are not to be computed.
    package var hasWindow = false

    /// Creates a call at a stop; everything else is blank.
    package init(sid: Int64, sequence: Int32) {
      (self.sid, self.sequence) = (sid, sequence)
      (headsign, others) = (-1, -1)
    }
  }

  /// A sequence of calls of one route in one direction, and the different times in which it is
  /// driven.
  package struct Pattern: Sendable {
    /// The route's number.
    package var rid: Int64
    /// `direction_id`; `nil` if blank.
    package var directionID: Int16?
    /// The calls; empty for trips without stop times.
    package var calls: [Call]
    /// The timings, in any order.
    package var timings: [Timing]

    /// Creates a pattern without timings.
    package init(rid: Int64, directionID: Int16?, calls: [Call]) {
      (self.rid, self.directionID, self.calls, timings) = (rid, directionID, calls, [])
    }
  }

  /// The arrivals and departures of a pattern's calls, in seconds from the start of the run.
  package struct Timing: Hashable, Sendable {
    /// The mark of a blank `arrival_time` or `departure_time`.
    package static let blank = Int32.min

    /// The arrivals, or ``blank``; one for each call.
    package var arrivals: [Int32]
    /// The departures, or ``blank``; one for each call.
    package var departures: [Int32]

    /// Creates a timing.
    package init(arrivals: [Int32], departures: [Int32]) {
      (self.arrivals, self.departures) = (arrivals, departures)
    }
  }

  /// One trip: the remaining columns of `trips.txt`, and its pattern, timing and start.
  package struct Run: Sendable {
    /// The trip's number, stable over imports with the older database; positive.
    package var tid: Int64
    /// `trip_id`.
    package var tripID: String
    /// The index of the pattern.
    package var pattern: Int32
    /// The index of the timing in the pattern.
    package var timing: Int32
    /// The index of the service.
    package var service: Int32
    /// The start, in seconds after noon minus 12 hours of the service day: the departure from the
    /// first call; if it is blank, the first time of the trip that is not; 0 if all are blank.
    package var start: Int32
    /// `trip_headsign`.
    package var headsign: TextIndex = -1
    /// `trip_short_name`.
    package var shortName: TextIndex = -1
    /// `block_id`.
    package var block: TextIndex = -1
    /// `shape_id`.
    package var shape: TextIndex = -1
    /// `wheelchair_accessible`; `nil` if blank.
    package var wheelchairAccessible: Int16?
    /// `bikes_allowed`; `nil` if blank.
    package var bikesAllowed: Int16?
    /// The other columns: the values of ``TimetableContent/tripColumns`` as one CSV record without a
    /// line end; -1 if all are blank.
    package var others: TextIndex = -1

    /// Creates a run; its remaining columns are blank.
    package init(
      tid: Int64, tripID: String, pattern: Int32, timing: Int32, service: Int32, start: Int32
    ) {
      (self.tid, self.tripID, self.pattern) = (tid, tripID, pattern)
      (self.timing, self.service, self.start) = (timing, service, start)
    }
  }

  /// A service: its row of `calendar.txt`, if it has one, and its rows of `calendar_dates.txt`.
  package struct Service: Sendable {
    /// A row of `calendar.txt`.
    package struct Week: Hashable, Sendable {
      /// `monday` to `sunday`: bit 0 is Monday, bit 6 is Sunday.
      package var days: UInt8
      /// `start_date`, as the number `YYYYMMDD`.
      package var start: Int
      /// `end_date`, as the number `YYYYMMDD`.
      package var end: Int
      /// The values of ``TimetableContent/calendarColumns`` as one CSV record; -1 if all are blank.
      package var others: TextIndex

      /// Creates a row of `calendar.txt`.
      package init(days: UInt8, start: Int, end: Int, others: TextIndex = -1) {
        (self.days, self.start, self.end, self.others) = (days, start, end, others)
      }
    }

    /// A row of `calendar_dates.txt`.
    package struct Exception: Hashable, Sendable {
      /// `date`, as the number `YYYYMMDD`.
      package var date: Int
      /// Whether the service is added on this day (`exception_type` 1), and not removed (2).
      package var isAdded: Bool
      /// The values of ``TimetableContent/calendarDateColumns`` as one CSV record; -1 if all are
      /// blank.
      package var others: TextIndex

      /// Creates a row of `calendar_dates.txt`.
      package init(date: Int, isAdded: Bool, others: TextIndex = -1) {
        (self.date, self.isAdded, self.others) = (date, isAdded, others)
      }
    }

    /// `service_id`.
    package var serviceID: String
    /// The row of `calendar.txt`.
    package var week: Week?
    /// The rows of `calendar_dates.txt`, in any order.
    package var exceptions: [Exception]

    /// Creates a service; one without a week and without exceptions never runs.
    package init(serviceID: String, week: Week? = nil, exceptions: [Exception] = []) {
      (self.serviceID, self.week, self.exceptions) = (serviceID, week, exceptions)
    }
  }

  /// A row of `frequencies.txt`.
  package struct Frequency: Sendable {
    /// The index of the run, whose times are those of the first vehicle relative to its start.
    package var run: Int32
    /// `start_time`, in seconds after noon minus 12 hours.
    package var start: Int32
    /// `end_time`, in seconds after noon minus 12 hours.
    package var end: Int32
    /// `headway_secs`, positive.
    package var headway: Int32
    /// `exact_times`; `nil` if blank.
    package var exactTimes: Int16?
    /// The values of ``TimetableContent/frequencyColumns`` as one CSV record; -1 if all are blank.
    package var others: TextIndex

    /// Creates a row of `frequencies.txt`.
    package init(
      run: Int32, start: Int32, end: Int32, headway: Int32, exactTimes: Int16? = nil,
      others: TextIndex = -1
    ) {
      (self.run, self.start, self.end, self.headway) = (run, start, end, headway)
      (self.exactTimes, self.others) = (exactTimes, others)
    }
  }

  /// The shared texts: headsigns, names, blocks, shapes, records of other columns; none is empty.
  package var texts: [String] = []
  /// The patterns.
  package var patterns: [Pattern] = []
  /// The trips.
  package var runs: [Run] = []
  /// The services.
  package var services: [Service] = []
  /// The frequencies.
  package var frequencies: [Frequency] = []

  /// The names of the columns of `stop_times.txt` that have no property here.
  package var stopTimeColumns: [String] = []
  /// How many stops lost all service because rows or values of the feed could not be used.
  package private(set) var stopsWithoutService = 0
  /// Whether any stop has a time or a window, on any day.
  package private(set) var servesAnyStop = true
  /// The names of the columns of `trips.txt` that have no property here.
  package var tripColumns: [String] = []
  /// The names of the columns of `calendar.txt` that have no property here.
  package var calendarColumns: [String] = []
  /// The names of the columns of `calendar_dates.txt` that have no property here.
  package var calendarDateColumns: [String] = []
  /// The names of the columns of `frequencies.txt` that have no property here.
  package var frequencyColumns: [String] = []

  /// The largest number of a trip in this database or an older one: no number up to it is assigned
  /// to another trip.
  package var lastTripNumber: Int64 = 0

  /// Creates empty content.
  package init() {}
}

extension TimetableContent {
  /// Counts the stops at which no trip calls that runs on any day.
  ///
  /// - Parameters:
  ///   - stops: The numbers of stops of which rows were left out.
  ///   - countsServices: Whether also the stops count whose trips all have a service without a day.
  ///   - isSound: Whether the rows of trips and services have no flaw, so that no stop counts but those.
  package mutating func countStopsWithoutService(
    among stops: Set<Int64>, orOfServicesWithoutDay countsServices: Bool, isSound: Bool
  ) {
    guard !isSound || !stops.isEmpty else { return }
    var lost = stops
    var served: Set<Int64> = []
    var seen: Set<[Int32]> = []
    let runsAtAll = services.map(\.hasDay)
    for run in runs {
      guard runsAtAll[Int(run.service)] else {
        if countsServices { lost.formUnion(patterns[Int(run.pattern)].calls.map(\.sid)) }
        continue
      }
      guard seen.insert([run.pattern, run.timing]).inserted else { continue }
      let pattern = patterns[Int(run.pattern)]
      // Nobody can board and alight.
      guard pattern.calls.count > 1 else { continue }
      let times = CallTimes(
        pattern.timings[Int(run.timing)], windows: pattern.calls.map(\.hasWindow)[...])
      for (index, call) in pattern.calls.enumerated()
      where call.hasWindow || times.arrivals[index] != CallTimes.none {
        served.insert(call.sid)
      }
    }
    // Number 0 is an area.
    stopsWithoutService = lost.subtracting(served).subtracting([0]).count
    servesAnyStop = !served.isEmpty
  }
}

extension TimetableContent.Service {
  /// Whether the service may run on any day.
  fileprivate var hasDay: Bool {
    exceptions.contains { $0.isAdded } || week.map { $0.days != 0 && $0.start <= $0.end } ?? false
  }
}
