extension JourneySearch {
  /// A ride that reaches a stop, and what was ridden before it in the direction of the search.
  struct Ride {
    let previous: Int32
    let unit: Int32
    /// The index of the trip in its unit; of a repetition the start, in seconds of the service day.
    let trip: Int32
    /// The calls of the unit, in the direction of the search.
    let entry: Int32
    var exit: Int32
    /// Whether the rider stays on the vehicle of the ride before.
    let isContinuation: Bool
  }

  /// A way on foot between a place of the question and a stop.
  struct Access {
    let stop: Int
    let seconds: Int
    /// The entrance of a station on the way; -1 if there is none.
    var door: Int32 = -1
  }

  /// A question as a search needs it.
  struct Question {
    var isForward: Bool
    /// The instant of label 0, in seconds since 1970.
    var instant: Int
    /// The labels that count are less than this.
    var limit: Int
    /// The largest label from which a search of a window begins; 0 for one instant.
    var window = 0
    var rideLimit: Int
    var profile: Footpaths.Profile
    /// The stops at the place where the search begins.
    var start: [Access]
    var end: [Access]
    /// The seconds of walking all the way; `nil` if it is too far.
    var directSeconds: Int?
    /// What a search in the other direction has reached that found the journey which this one improves.
    var reachedBefore: Reached?
  }
}
