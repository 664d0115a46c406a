import Foundation
import Holdfast

/// A question about the calls at stops, of which departures and arrivals are the two kinds.
struct BoardQuery {
  /// A call that answers the question.
  struct Answer {
    var call: Departure
    /// The first stop of the trip.
    var origin: Stop?
  }

  let event: CallEvent
  let sids: [Int64]
  let instant: Date
  let duration: Duration
  let limit: Int
  let updates: TripUpdates?
  let includesCanceled: Bool
  /// The calls to leave out.
  let excluded: StopBoard.Traits

  func fetchAll(_ db: Database) throws -> [Answer] {
    try db.deferringTemporaryObjects { try answers(db) }
  }

  private func answers(_ db: Database) throws -> [Answer] {
    let cache = try TripCache.of(db)
    guard limit > 0, let interval else { return [] }
    let key = Set(sids).sorted()
    let board = try cache.board(of: key, db)
    var live = LiveCalls()
    if let updates = try updates?.withContinuations(at: interval.lowerBound, db) {
      live = LiveCalls(
        on: board, for: self, within: interval, try cache.trips(of: board, key, db))
      try live.add(updates, cache, db)
    }
    var search = BoardSearch(
      board, event, within: interval, limit: limit, excluding: excluded, live.replaced)
    let scheduled = search.run()
    var calls = live.sorted()[...]
    var answers: [Answer] = []
    answers.reserveCapacity(min(limit, scheduled.count + calls.count))
    for element in scheduled {
      while let call = calls.first, (call.instant, call.tid) < (element.instant, element.tid),
        answers.count < limit
      {
        answers.append(try live.answer(call, event, cache, db))
        calls.removeFirst()
      }
      guard answers.count < limit else { return answers }
      answers.append(try answer(element, on: board, cache, db))
    }
    for call in calls.prefix(limit - answers.count) {
      answers.append(try live.answer(call, event, cache, db))
    }
    return answers
  }

  /// The seconds since 1970 that belong to the question; `nil` if there are none, or if they are not
  /// in the years 1 to 9999.
  private var interval: ClosedRange<Int>? {
    let start = instant.timeIntervalSince1970
    let end =
      start + Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    guard ServiceDay.years.contains(start), end > start else { return nil }
    let last = Int(min(end, ServiceDay.years.upperBound).rounded(.up)) - 1
    let first = Int(start.rounded(.up))
    return first <= last ? first...last : nil
  }

  private func answer(
    _ found: BoardSearch.Element, on board: StopBoard, _ cache: TripCache, _ db: Database
  ) throws -> Answer {
    let index = board.calls[found.call].index
    let pattern = try cache.pattern(board.calls[found.call].pattern, db)
    let repetition = found.headway == nil ? nil : pattern.repetitions[found.run]
    let run = repetition?.run ?? pattern.runs[found.run]
    let call = pattern.calls[index]
    let departure = pattern.time(.departure, run.timing, index) ?? 0
    let arrival = pattern.time(.arrival, run.timing, index) ?? departure
    let start = found.seconds - (event == .departure ? departure : arrival)
    let midnight = found.instant - found.seconds
    let date = { (seconds: Int) in Date(timeIntervalSince1970: Double(midnight + seconds)) }
    let isExact = repetition?.isExact ?? true
    return Answer(
      call: Departure(
        stop: try cache.stop(call.sid, db), route: try cache.route(pattern.rid, db), tid: run.tid,
        tripID: try cache.tripID(run.tid, db), tripShortName: try cache.text(run.shortName, db),
        headsign: try cache.text(call.headsign == 0 ? run.headsign : call.headsign, db),
        directionID: pattern.directionID.map { Int($0) }, stopSequence: Int(call.sequence),
        serviceDay: found.day, arrivalTime: ServiceTime(seconds: start + arrival),
        departureTime: ServiceTime(seconds: start + departure),
        arrival: date(start + arrival), departure: date(start + departure),
        scheduledArrival: date(start + arrival), scheduledDeparture: date(start + departure),
        status: .scheduled, timeZone: try cache.zone(ofStop: call.sid, db) ?? pattern.zone.zone,
        isInterpolated: pattern.isInterpolated(run.timing, index),
        timepoint: call.timepoint.map { Int($0) },
        bookingRule: try cache.bookingRule(event, of: call, in: pattern.zone, db),
        isFirstStop: index == 0,
        isLastStop: index == pattern.calls.count - 1, pickupType: Int(call.pickupType ?? 0),
        dropOffType: Int(call.dropOffType ?? 0),
        headway: isExact ? nil : found.headway.map { .seconds($0) }, start: start),
      origin: try origin(of: pattern, cache, db))
  }

  private func origin(
    of pattern: TimetablePattern, _ cache: TripCache, _ db: Database
  ) throws -> Stop? {
    guard event == .arrival, let sid = pattern.calls.first?.sid, sid != 0 else { return nil }
    return try cache.stop(sid, db)
  }
}
