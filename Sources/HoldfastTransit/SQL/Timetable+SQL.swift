public import Holdfast

extension Timetable {
  /// Makes every file of the feed a table in SQL, on each connection with this configuration.
  ///
  /// A connection to a timetable database then has `gtfs_trips`, `gtfs_stop_times`, `gtfs_calendar`,
  /// `gtfs_calendar_dates`, `gtfs_frequencies` and `gtfs_shapes`, which are decoded while they are read,
  /// in addition to the tables and views that the file stores. Each file also has its name without `gtfs_`.
  /// The database stores `stops`, `routes` and `agency`; views of these names have GTFS's columns after the
  /// stored ones, and all rows: `stop_times JOIN stops USING (stop_id)`. The tables under them are
  /// `main.routes` and so on, to which a connection that writes must write. A connection to any other
  /// database has nothing more.
  ///
  /// The tables are temporary objects of the connection. They are made after the preparations that
  /// the configuration has, of which one may set `query_only` or give the key of an encrypted database:
  /// add these before, and a preparation that uses the tables afterwards. A connection to a file that is
  /// never modified makes them later, before the first statement of the app. Each connection that is opened
  /// makes its own, as after a suspension. A timetable that is opened by its file or that follows a source has
  /// them already.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// Timetable.prepare(&configuration)
  /// let queue = try DatabaseQueue(path: path, configuration: configuration)
  /// ```
  ///
  /// - Parameter configuration: The configuration of the connections.
  public static func prepare(_ configuration: inout Configuration) {
    prepare(&configuration, hidesStoredTables: true)
  }

  /// Makes every file of the feed a table in SQL, on each connection with this configuration.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the connections.
  ///   - hidesStoredTables: Whether `stops`, `routes` and `agency` are views with GTFS's columns.
  package static func prepare(
    _ configuration: inout Configuration, hidesStoredTables: Bool
  ) {
    if hidesStoredTables {
      configuration.schemaSource = StoredNameKeys(next: configuration.schemaSource)
    }
    configuration.prepareDatabase { db in
      try TimetableTables.add(to: db, hidingStoredTables: hidesStoredTables)
    }
  }
}
