/// The validated part of a GTFS feed that a timetable database needs.
///
/// It contains every row of `agency.txt`, `stops.txt` and `routes.txt`: a feed is used completely
/// or refused. The report lists what was interpreted differently than it is written.
public struct Feed: Sendable {
  /// The rows of `agency.txt`, in the file's order.
  public var agencies: [FeedAgency] = []
  /// The rows of `stops.txt`, in the file's order.
  public var stops: [FeedStop] = []
  /// The rows of `routes.txt`, in the file's order.
  public var routes: [FeedRoute] = []
  /// The row of `feed_info.txt`, if the feed has one.
  public var info: FeedInfo?
  /// The first and the last service date, from `feed_info.txt` or else from the services.
  ///
  /// A service runs from its first to its last day in `calendar.txt` if it runs on any weekday, and
  /// on the days that `calendar_dates.txt` adds. `nil` if no service has a day.
  public var serviceDates: ClosedRange<FeedDate>?

  /// The records of the columns that have no property, by file.
  struct Others: Sendable {
    var agencies = OtherColumns()
    var stops = OtherColumns()
    var routes = OtherColumns()
  }

  var others = Others()
}
