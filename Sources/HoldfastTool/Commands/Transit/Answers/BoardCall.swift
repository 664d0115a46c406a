import Foundation
import HoldfastTransit

/// A departure or an arrival, as far as they are alike.
protocol BoardCall {
  var status: LiveStopTime.Status { get }
  var delay: Duration? { get }
  var isInterpolated: Bool { get }
  var timepoint: Int? { get }
  var bookingRule: BookingRule? { get }
  /// How riders book the call; `nil` if the feed has no rule for it.
  var booking: Booking? { get }
  var route: Route { get }
  var headsign: String? { get }
  var tripShortName: String? { get }
  var directionID: Int? { get }
  var stop: Stop { get }
  var stopSequence: Int? { get }
  var headway: Duration? { get }
  var tripID: String { get }
  var tid: Int64? { get }
}

extension OutputRecord {
  /// Creates the record of a departure or an arrival from what they share and what each has.
  ///
  /// - Parameters:
  ///   - call: The departure or arrival.
  ///   - instants: When it takes place.
  ///   - schedule: When the timetable has it.
  ///   - origin: Where the vehicle comes from.
  ///   - riders: Whether riders board and alight.
  init(
    _ call: some BoardCall, instants: OutputRecord, schedule: OutputRecord,
    origin: OutputRecord = [:],
    riders: OutputRecord
  ) {
    let live: OutputRecord = [
      "status": .text(call.status.name),
      "delay": Cell(call.delay.map { Int($0.components.seconds) }),
    ]
    let route: OutputRecord = [
      "is_interpolated": .bool(call.isInterpolated),
      "timepoint": Cell(call.timepoint),
      "route_id": .text(call.route.routeID),
      "route_short_name": .text(call.route.routeShortName),
      "route_long_name": .text(call.route.routeLongName),
    ]
    let place: OutputRecord = [
      "trip_headsign": Cell(call.headsign),
      "trip_short_name": Cell(call.tripShortName),
      "direction_id": Cell(call.directionID),
      "stop_id": .text(call.stop.stopID),
      "stop_name": .text(call.stop.stopName),
      "platform_code": Cell(call.stop.platformCode),
      "stop_sequence": Cell(call.stopSequence),
    ]
    let numbers: OutputRecord = [
      "headway_secs": Cell(call.headway.map { Int($0.components.seconds) }),
      "booking_rule": Cell(call.bookingRule.map(OutputRecord.init(rule:))),
      "trip_id": .text(call.tripID),
      "sid": Cell(call.stop.sid),
      "rid": Cell(call.route.rid),
      "tid": Cell(call.tid),
    ]
    self = [:]
    for part in [instants, live, schedule, route, origin, place, riders, numbers] {
      fields += part.fields
    }
  }
}

extension OutputRecord {
  /// Creates the record of a booking rule, with GTFS's names.
  init(rule: BookingRule) {
    self = [
      "booking_rule_id": .text(rule.id),
      "booking_type": Cell(rule.bookingType),
      "prior_notice_duration_min": Cell(rule.priorNoticeDurationMin),
      "prior_notice_duration_max": Cell(rule.priorNoticeDurationMax),
      "prior_notice_last_day": Cell(rule.priorNoticeLastDay),
      "prior_notice_last_time": Cell(rule.priorNoticeLastTime),
      "prior_notice_start_day": Cell(rule.priorNoticeStartDay),
      "prior_notice_start_time": Cell(rule.priorNoticeStartTime),
      "prior_notice_service_id": Cell(rule.priorNoticeServiceID),
      "message": Cell(rule.message),
      "pickup_message": Cell(rule.pickupMessage),
      "drop_off_message": Cell(rule.dropOffMessage),
      "phone_number": Cell(rule.phoneNumber),
      "info_url": Cell(rule.infoURL),
      "booking_url": Cell(rule.bookingURL),
      "agency_timezone": .text(rule.timeZone.identifier),
    ]
  }
}
