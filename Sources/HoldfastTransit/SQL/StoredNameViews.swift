import Holdfast

/// The temporary views under names that the file stores: `stops`, `routes` and `agency` with GTFS's columns.
///
/// The file stores them with the numbers by which everything else names a stop or a route. Such a view has
/// all columns of what it hides, in their order, and all rows, so that SQL for the file stays right; after
/// them it has GTFS's own, such as `stop_id`.
struct StoredNameViews {
  /// A view, and the column that identifies its rows.
  struct View: Equatable {
    var name: String
    /// The query of the rows.
    var query: String
    /// The statement that runs when a row is deleted.
    var deletion: String
  }

  let views: [View]

  /// Decides.
  ///
  /// A name that the file stores with other columns is left alone.
  ///
  /// - Parameters:
  ///   - stored: The columns of what the file stores, by its name; of tables that it lacks, none.
  ///   - others: The names of the columns that only the feed has, by file, in their order.
  init(stored: [String: [String]], others: [String: [String]]) {
    views = Self.forms.compactMap { form in
      guard stored[form.name] == form.columns else { return nil }
      let own = form.columns + form.added.map(\.name)
      var taken = Set(own.map { DatabaseIdentifier($0) })
      var added = form.added.map { "\($0.value) AS \($0.name)" }
      if let table = TimetableSchema.otherTables.first(where: { $0.file == form.file }),
        let found = stored[table.name]
      {
        func add(_ column: String, as name: String) {
          guard found.contains(column), taken.insert(DatabaseIdentifier(name)).inserted else {
            return
          }
          let key = "\(form.source).\(table.key)"
          added.append(
            "(SELECT \(column) FROM main.\(table.name) WHERE \(table.name).\(table.key) = \(key))"
              + " AS \(name.quotedDatabaseIdentifier)")
        }
        for column in table.known { add(column, as: column) }
        for (position, name) in (others[form.file] ?? []).enumerated() {
          add("c\(position + 1)", as: name)
        }
      }
      return View(
        name: form.name,
        query: ([form.selection] + added).joined(separator: ", ") + " " + form.origin,
        deletion: form.deletion)
    }
  }

  /// The names of the stored tables whose columns decide.
  static let storedNames = forms.map(\.name) + TimetableSchema.otherTables.map(\.name)

  /// How a view is made.
  private struct Form {
    var name: String
    var file: String
    /// The columns of what the file stores.
    var columns: [String]
    /// The beginning of the query, with these columns.
    var selection: String
    /// GTFS's columns that these lack.
    var added: [(name: String, value: String)]
    /// The table that the query reads, without its schema.
    var source: String
    /// The end of the query.
    var origin: String
    var deletion: String
  }

  /// A statement that a read-only connection refuses as such, before the sentence that is for others.
  private static func refusal(_ name: String) -> String {
    """
    SELECT RAISE(ABORT, '\(name) is a view of this connection; write to main.\(name)');
    UPDATE metadata SET value = value WHERE 0;
    """
  }

  /// The table that finds stops by their identifiers.
  private static let packedStops =
    "holdfast_" + TimetableSchema.table(ofFile: PackedStopRows.file)

  private static let forms = [
    Form(
      name: "stops", file: "stops.txt",
      columns: [
        "sid", "stop_code", "stop_name", "stop_lat", "stop_lon", "wheelchair_boarding",
        "location_type", "parent_sid", "platform_code", "stop_desc", "stop_url", "zone_id",
        "stop_timezone",
      ],
      selection: TimetableSchema.stopSelection,
      added: [
        ("stop_id", "stop_id"),
        (
          "parent_station",
          """
          (SELECT parent.stop_id FROM main.packed_stops AS parent
            WHERE parent.sid = packed_stops.parent_sid)
          """
        ),
      ],
      source: "packed_stops",
      origin:
        "FROM \(packedStops) AS packed_stops WHERE kind IS NOT NULL",
      deletion: "UPDATE packed_stops SET kind = NULL WHERE sid = old.sid;"),
    Form(
      name: "routes", file: "routes.txt",
      columns: [
        "rid", "route_short_name", "route_long_name", "route_type", "route_color",
        "route_text_color", "aid", "route_desc", "route_url", "route_sort_order",
      ],
      selection: "SELECT routes.*",
      added: [
        ("route_id", "dict_route.route_id"),
        ("agency_id", "(SELECT agency_id FROM main.agency WHERE agency.aid = routes.aid)"),
      ],
      source: "routes",
      origin: "FROM main.routes JOIN main.dict_route ON dict_route.rid = routes.rid",
      deletion: refusal("routes")),
    Form(
      name: "agency", file: "agency.txt",
      columns: [
        "aid", "agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang",
        "agency_phone", "agency_fare_url", "agency_email",
      ],
      selection: "SELECT agency.*", added: [], source: "agency", origin: "FROM main.agency",
      deletion: refusal("agency")),
  ]
}

extension StoredNameViews {
  /// Adds the virtual table to a connection, and returns the statements that make the views.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - connection: The same for the virtual table.
  ///   - others: The names of the columns that only the feed has, by file, in their order.
  /// - Returns: The statements, for views and triggers that may exist.
  /// - Throws: `DatabaseError` when the database cannot be read.
  static func definitions(
    _ db: Database, _ connection: TimetableConnection, others: [String: [String]]
  ) throws -> [String] {
    try db.add(virtualTable: CompactTable<PackedStopRows>(connection, []))
    var stored: [String: [String]] = [:]
    let columns = try Row.fetchCursor(
      db,
      sql: """
        SELECT tables.name, columns.name
        FROM main.sqlite_schema AS tables JOIN pragma_table_info(tables.name, 'main') AS columns
        WHERE tables.name IN (\(storedNames.map { "'\($0)'" }.joined(separator: ", ")))
        """)
    while let column = try columns.next() {
      stored[try column.decode(atIndex: 0), default: []].append(try column.decode(atIndex: 1))
    }
    let views = StoredNameViews(stored: stored, others: others).views
    return views.map { view in
      """
      CREATE TEMP VIEW IF NOT EXISTS \(view.name) AS \(view.query);
      CREATE TEMP TRIGGER IF NOT EXISTS \(view.name)_delete INSTEAD OF DELETE ON \(view.name)
      BEGIN \(view.deletion) END;
      """
    }
  }
}
