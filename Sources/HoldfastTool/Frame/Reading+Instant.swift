import Foundation
import Holdfast

extension Reading<Date> {
  /// A day and a time with their offset from UTC, as in ISO 8601.
  ///
  /// Without an offset the instant would depend on the machine, so it is required.
  static let instant = Reading(
    expected: "a day and a time in ISO 8601 with an offset, such as 2026-07-01T09:00:00Z"
  ) { word in
    let value = word.databaseValue
    guard let components = DatabaseDateComponents.fromDatabaseValue(value)?.dateComponents,
      components.timeZone != nil,
      DateComponents(year: components.year, month: components.month, day: components.day)
        .isValidDate(in: Calendar(identifier: .gregorian))
    else { return nil }
    return Date.fromDatabaseValue(value)
  }
}
