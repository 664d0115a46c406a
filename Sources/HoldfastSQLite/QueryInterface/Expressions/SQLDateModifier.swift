/// A change of a date in ``dateTime(_:_:)`` and ``julianDay(_:_:)``.
///
/// - SeeAlso: <https://www.sqlite.org/lang_datefunc.html#modifiers>
public enum SQLDateModifier: SQLSpecificExpressible, Sendable {
  /// Adds seconds.
  case second(Double)
  /// Adds minutes.
  case minute(Int)
  /// Adds hours.
  case hour(Int)
  /// Adds days.
  case day(Int)
  /// Adds months.
  case month(Int)
  /// Adds years.
  case year(Int)
  /// Moves to the next day of the week, if it is another one; Sunday is 0.
  case weekday(Int)
  /// Moves back to the first day of the month.
  case startOfMonth
  /// Moves back to the first day of the year.
  case startOfYear
  /// Moves back to the beginning of the day.
  case startOfDay
  /// Takes the number for seconds since 1970.
  case unixEpoch
  /// Converts from UTC to the local time zone.
  case localTime
  /// Converts from the local time zone to UTC.
  case utc

  /// The modifier's text, bound.
  public var sqlExpression: SQLExpression {
    let text =
      switch self {
      case .second(let count): "\(count) seconds"
      case .minute(let count): "\(count) minutes"
      case .hour(let count): "\(count) hours"
      case .day(let count): "\(count) days"
      case .month(let count): "\(count) months"
      case .year(let count): "\(count) years"
      case .weekday(let day): "weekday \(day)"
      case .startOfMonth: "start of month"
      case .startOfYear: "start of year"
      case .startOfDay: "start of day"
      case .unixEpoch: "unixepoch"
      case .localTime: "localtime"
      case .utc: "utc"
      }
    return text.sqlExpression
  }
}
