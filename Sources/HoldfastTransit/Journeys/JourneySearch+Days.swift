import Foundation
import Holdfast

extension JourneySearch {
  /// A service day in a time zone.
  struct ZoneDay {
    let day: ServiceDay
    /// The instant from which its times are counted, in seconds since 1970, and its label.
    let start: Int
    let zero: Int
    /// The index of the day's units; `nil` before they are needed, -1 if no service runs.
    var index: Int?
  }

  mutating func prepareDays(_ zone: Int, back: Int) {
    guard daysBack[zone] < back else { return }
    daysBack[zone] = max(2, back)
    let timeZone = network.patterns.timeZones[zone]
    let length = question.limit + question.window
    let earliest = isForward ? question.instant : question.instant - length
    let latest = isForward ? question.instant + length : question.instant
    let first = timeZone.day(at: earliest).daysSince1970 - daysBack[zone]
    let last = timeZone.day(at: latest).daysSince1970 + 1
    var days: [ZoneDay] = []
    for day in network.serviceDays(from: first, to: last) {
      let start = timeZone.start(of: day)
      days.append(ZoneDay(day: day, start: start, zero: sign * (start - question.instant)))
    }
    zoneDays[zone] = isForward ? days : days.reversed()
  }

  /// Returns the index of the units of a day; -1 if no service runs.
  mutating func index(ofDay number: Int, _ zone: Int) -> Int {
    let day = zoneDays[zone][number]
    if let index = day.index { return index }
    let index =
      network.hasService(on: day.day)
      ? timetable.index(
        of: day.day, needsAccess: question.profile.needsAccess, isForward: isForward, network) : -1
    zoneDays[zone][number].index = index
    return index
  }

  /// Returns the starts of the days on which a pattern's vehicles may run at labels up to one, and
  /// the days' indices.
  mutating func days(of pattern: Int, upTo label: Int) -> [(start: Int, index: Int)] {
    let (zone, extent) = (Int(network.patterns.zones[pattern]), timetable.extents[pattern])
    prepareDays(zone, back: extent.daysBack)
    var found: [(start: Int, index: Int)] = []
    for number in zoneDays[zone].indices {
      let shift = zoneDays[zone][number].start - question.instant
      let (soonest, last) = (shift + Int(extent.earliest), shift + Int(extent.latest))
      guard (isForward ? soonest : -last) <= label, (isForward ? last : -soonest) >= 0 else {
        continue
      }
      let index = index(ofDay: number, zone)
      if index >= 0 { found.append((zoneDays[zone][number].start, index)) }
    }
    return found
  }

  /// Returns the start of a service day for a pattern, and the day's index; `nil` if no service runs,
  /// or if the day does not matter.
  mutating func day(_ day: ServiceDay, for pattern: Int) -> (start: Int, index: Int)? {
    let zone = Int(network.patterns.zones[pattern])
    prepareDays(zone, back: timetable.extents[pattern].daysBack)
    guard let number = zoneDays[zone].firstIndex(where: { $0.day == day }) else { return nil }
    let index = index(ofDay: number, zone)
    return index < 0 ? nil : (zoneDays[zone][number].start, index)
  }
}
