import Holdfast
import HoldfastFiles

extension TransitLog {
  /// Reports a question at stops where no trip calls: that they are not found, if the timetable has none
  /// of them.
  static func stopsWithoutTrips(_ sids: [Int64], _ db: Database) {
    do {
      guard !sids.isEmpty, try Stop.fetchAll(db, sids: sids).isEmpty else { return }
      report(.notice, "offline_departures_stop_not_found: path=\(Log.name(db.path))")
    } catch {
      report(.notice, "offline_departures_stop_not_found: error=\(kind(of: error))")
    }
  }
}
