public import Foundation
import Holdfast

/// How riders book where a vehicle comes on request only: a row of `booking_rules.txt`.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#booking_rulestxt>
public struct BookingRule: Hashable, Sendable, Identifiable {
  /// The `booking_rule_id` in the feed.
  public var id: String
  /// When to book: 0 at any time, 1 on the same day with notice, 2 up to a day before.
  public var bookingType: Int?
  /// The least notice, in minutes.
  public var priorNoticeDurationMin: Int?
  /// The greatest notice, in minutes.
  public var priorNoticeDurationMax: Int?
  /// The last day to book, in days before the travel.
  public var priorNoticeLastDay: Int?
  /// The time of that day until which to book, as the feed spells it.
  public var priorNoticeLastTime: String?
  /// The first day to book, in days before the travel.
  public var priorNoticeStartDay: Int?
  /// The time of that day from which on to book, as the feed spells it.
  public var priorNoticeStartTime: String?
  /// The `service_id` on whose days the days of notice are counted; `nil` for all days.
  public var priorNoticeServiceID: String?
  /// The message for riders who board and alight on request.
  public var message: String?
  /// The message for riders who only board on request.
  public var pickupMessage: String?
  /// The message for riders who only alight on request.
  public var dropOffMessage: String?
  /// The number to call.
  public var phoneNumber: String?
  /// The address of further information.
  public var infoURL: String?
  /// The address where to book.
  public var bookingURL: String?
  /// The time zone of the agency, in which the times of the days of notice are.
  public var timeZone: TimeZone

  /// Reads a rule; `nil` when the feed has none with this identifier.
  init?(_ id: String, in timeZone: TimeZone, _ db: Database) throws {
    guard let table = try FileTable("booking_rules", db) else { return nil }
    let names = [
      "booking_type", "prior_notice_duration_min", "prior_notice_duration_max",
      "prior_notice_last_day", "prior_notice_last_time", "prior_notice_start_day",
      "prior_notice_start_time", "message", "pickup_message", "drop_off_message", "phone_number",
      "info_url", "booking_url", "prior_notice_service_id",
    ]
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT \(names.map(table.column).joined(separator: ", "))
        FROM main.gtfs_booking_rules AS file WHERE \(table.column("booking_rule_id")) = ? LIMIT 1
        """, arguments: [id])
    guard let row else { return nil }
    let texts = try names.indices.map { try row.decode(String?.self, atIndex: $0) }
    (self.id, self.timeZone) = (id, timeZone)
    bookingType = texts[0].flatMap(\.wholeNumber)
    priorNoticeDurationMin = texts[1].flatMap(\.wholeNumber)
    priorNoticeDurationMax = texts[2].flatMap(\.wholeNumber)
    priorNoticeLastDay = texts[3].flatMap(\.wholeNumber)
    priorNoticeLastTime = texts[4]
    priorNoticeStartDay = texts[5].flatMap(\.wholeNumber)
    priorNoticeStartTime = texts[6]
    (message, pickupMessage, dropOffMessage) = (texts[7], texts[8], texts[9])
    (phoneNumber, infoURL, bookingURL) = (texts[10], texts[11], texts[12])
    priorNoticeServiceID = texts[13]
  }
}
