/// The arrivals and departures of a timing's calls, with those that the feed leaves blank filled in.
///
/// - A call with one time has it for both.
/// - Calls without times between two timed ones are spread evenly between the departure before and
///   the arrival after them, rounded down to seconds.
/// - Calls before the first and after the last timed one have no times, and neither have those between
///   two timed ones of which the later one is earlier: one of these times is wrong, often by a day.
/// - A call with a window has no times, and nothing is computed across it: "arrival_time … Forbidden
///   when start_pickup_drop_off_window or end_pickup_drop_off_window are defined".
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#stop_timestxt>, "arrival_time"
struct CallTimes {
  /// The mark of a missing time.
  static let none = TimetableContent.Timing.blank

  private(set) var arrivals: [Int32]
  private(set) var departures: [Int32]

  /// Fills in the blank times.
  ///
  /// - Parameters:
  ///   - timing: The times, with the blank ones.
  ///   - windows: Whether each call has a window in place of blank times.
  init(_ timing: TimetableContent.Timing, windows: ArraySlice<Bool>) {
    (arrivals, departures) = (timing.arrivals, timing.departures)
    var last: Int?
    for (index, isWindow) in zip(arrivals.indices, windows) {
      if isWindow {
        last = nil
        continue
      }
      if arrivals[index] == Self.none { arrivals[index] = departures[index] }
      if departures[index] == Self.none { departures[index] = arrivals[index] }
      guard arrivals[index] != Self.none else { continue }
      if let last, index - last > 1 { fill(from: last, to: index) }
      last = index
    }
  }

  private mutating func fill(from last: Int, to next: Int) {
    let start = Int(departures[last])
    let duration = Int(arrivals[next]) - start
    guard duration >= 0 else { return }
    for index in last + 1..<next {
      // Between two numbers of 32 bits.
      let time = Int32(start + (duration * (index - last)).quotient(by: next - last))
      arrivals[index] = time
      departures[index] = time
    }
  }
}
