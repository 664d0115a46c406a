/// A day in Foundation's Gregorian calendar, which is the Julian one before 15 October 1582.
///
/// Foundation's calendars and formatters yield the same days, at a hundred times the cost.
struct CivilDate: Equatable {
  var year: Int
  var month: Int
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  // Days from 1 March of the year 0 to 1 January 1970, in each calendar. Years that begin in March
  // have the leap day at their end.
  private static let gregorianEpoch = 719_468
  private static let julianEpoch = 719_470

  /// 15 October 1582, the day after 4 October.
  private static let firstGregorianDay = -141_427

  /// The days since 1 January 1970.
  var daysSince1970: Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = 365 * marchYear + marchYear.quotient(4) + dayOfYear
    guard (year, month, day) >= (1582, 10, 15) else { return days - Self.julianEpoch }
    return days - marchYear.quotient(100) + marchYear.quotient(400) - Self.gregorianEpoch
  }

  init(daysSince1970: Int) {
    let marchYear: Int
    let dayOfYear: Int
    if daysSince1970 >= Self.firstGregorianDay {
      let days = daysSince1970 + Self.gregorianEpoch
      let centuries = days.quotient(146_097)
      let rest = days - centuries * 146_097
      let year = (rest - rest / 1460 + rest / 36524 - rest / 146_096) / 365
      marchYear = centuries * 400 + year
      dayOfYear = rest - (365 * year + year / 4 - year / 100)
    } else {
      let days = daysSince1970 + Self.julianEpoch
      let leapYears = days.quotient(1461)
      let rest = days - leapYears * 1461
      let year = (rest - rest / 1460) / 365
      marchYear = leapYears * 4 + year
      dayOfYear = rest - 365 * year
    }
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = month > 2 ? marchYear : marchYear + 1
  }
}

extension Int {
  /// Returns the quotient rounded down; `/` rounds towards 0.
  func quotient(_ divisor: Int) -> Int {
    let quotient = self / divisor
    return quotient * divisor > self ? quotient - 1 : quotient
  }
}
