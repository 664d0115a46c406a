/// A call of a trip in numbers: a row of `stop_times.txt`.
struct FeedCall {
  /// The mark of a row that is not read yet.
  static let unread = UInt32.max

  /// The columns that do not depend on the time.
  var detail = CallDetail()
  /// The number of the trip, or ``unread``.
  var trip = Self.unread
  /// The number of the stop, or `TripAssembler.area`.
  var stop: UInt32 = 0
  /// `stop_sequence`.
  var sequence: Int32 = 0
  /// `arrival_time`, in seconds after noon minus 12 hours; `TimetableContent.Timing.blank` if blank.
  var arrival: Int32 = 0
  /// `departure_time`, likewise.
  var departure: Int32 = 0
  /// The line in the file; 0 if it is no longer known.
  var line = 0
}
