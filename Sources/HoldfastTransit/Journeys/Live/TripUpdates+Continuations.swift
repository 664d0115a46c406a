import Holdfast

extension TripUpdates {
  /// Whether the timetable has trips as which a vehicle goes on.
  private struct Stays {
    let exist: Bool

    init(_ db: Database) throws {
      guard let table = try FileTable("transfers", db) else {
        exist = false
        return
      }
      let type = table.column("transfer_type")
      exist =
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (SELECT 1 FROM main.gtfs_transfers AS file WHERE CAST(\(type) AS INTEGER) = 4)
            """) ?? false
    }
  }

  /// Returns the updates, and those of trips without one as which late vehicles go on.
  ///
  /// Of a trip without an update it is concluded that "no realtime data is available", and consumers should not assume
  /// that it is on time. But "the trips linked together MUST be operated by the same vehicle", so it begins when that
  /// is there, as in journeys.
  ///
  /// - Parameters:
  ///   - instant: The instant of the question, in seconds since 1970.
  ///   - db: The connection of the current access.
  /// - Returns: The message with at least its own updates.
  /// - Throws: The errors of ``Journeys/fetchAll(_:)``.
  /// - SeeAlso: <https://gtfs.org/documentation/realtime/feed-entities/trip-updates/>,
  ///   <https://gtfs.org/documentation/schedule/reference/#linked-trips>
  func withContinuations(at instant: Int, _ db: Database) throws -> TripUpdates {
    guard !updates.isEmpty || !tripModifications.isEmpty, try db.cached(Stays.init).exist else {
      return self
    }
    return try JourneyNetwork.of(db).applying(self, at: instant, db).live?.updates ?? self
  }
}
