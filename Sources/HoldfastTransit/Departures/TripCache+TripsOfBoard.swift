import Holdfast

extension TripCache {
  /// The trips of a board by their `trip_id`s.
  final class TripsOfBoard {
    let patterns: [ExactText: TimetablePattern]
    let tids: [ExactText: Int64]
    let stops: [ExactText: Int64]

    init(
      patterns: [ExactText: TimetablePattern], tids: [ExactText: Int64],
      stops: [ExactText: Int64]
    ) {
      (self.patterns, self.tids, self.stops) = (patterns, tids, stops)
    }
  }
}
