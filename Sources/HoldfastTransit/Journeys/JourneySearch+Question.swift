extension JourneySearch {
  /// A way on foot between a place of the question and a stop.
  struct Access {
    let stop: Int
    let seconds: Int
  }

  /// What a search must know.
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
  }
}
