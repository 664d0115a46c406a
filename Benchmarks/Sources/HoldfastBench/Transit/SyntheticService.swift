/// A service of a synthetic feed: the days on which its trips run.
struct SyntheticService {
  static let perAgency = 8

  /// The public holidays: on weekdays, with the service of Sundays.
  private static let holidays = ["20261225", "20261228", "20270101", "20270126"]

  /// The days on which schools are closed.
  private static let breaks =
    (21...31).map { "202612\($0)" } + (1...28).map { "202701\($0 < 10 ? "0" : "")\($0)" }

  /// Days with events, on which the last kind runs.
  private static let events = ["20261107", "20261121", "20261212", "20261231", "20270126"]

  let id: String
  private let kind: Int

  init(_ number: Int) {
    kind = number % Self.perAgency
    id =
      "\(["WD", "SA", "SU", "SCH", "MTWT", "FR", "NIGHT", "EVENT"][kind])-\(number / Self.perAgency)-j26"
  }

  /// Returns the kind for one of a hundred trips.
  static func kind(_ percent: Int) -> Int {
    let limits = [45, 63, 80, 88, 93, 97, 99]
    return limits.firstIndex { percent < $0 } ?? 7
  }

  /// The row of `calendar.txt` without the identifier; `nil` for a service of exceptions alone.
  var days: String? {
    let weekdays = [
      "1,1,1,1,1,0,0", "0,0,0,0,0,1,0", "0,0,0,0,0,0,1", "1,1,1,1,1,0,0", "1,1,1,1,0,0,0",
      "0,0,0,0,1,0,0", "0,0,0,0,1,1,0",
    ]
    return kind == 7 ? nil : "\(weekdays[kind]),20261101,20270131"
  }

  /// The dates with their types in `calendar_dates.txt`: 1 for added, 2 for removed.
  var exceptions: [(date: String, type: Int)] {
    switch kind {
    case 0, 4: Self.holidays.map { ($0, 2) }
    case 2: Self.holidays.map { ($0, 1) }
    case 3: Self.breaks.map { ($0, 2) }
    case 5: [("20261225", 2), ("20270101", 2)]
    case 7: Self.events.map { ($0, 1) }
    default: []
    }
  }
}
