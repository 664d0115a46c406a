/// Tells whether triggers of the history were dropped and created again since they were made.
///
/// A table that is rebuilt as SQLite's manual describes gets its triggers back from their saved
/// text, and nothing in them tells that they were gone while rows were copied. Their place in the
/// schema does: an object that is created gets a place after all others, VACUUM keeps the order of
/// triggers and views, and ALTER TABLE changes their text in place. So a view is created after the
/// triggers, and a trigger that comes after it is not the one that was there.
///
/// - SeeAlso: <https://www.sqlite.org/lang_altertable.html#otheralter>,
///   <https://www.sqlite.org/schematab.html>
enum HistorySeal {
  /// The name of the view.
  static let name = "holdfast_history_seal"

  /// Makes the view anew, after the triggers that are there.
  static func renew(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP VIEW IF EXISTS main.\(name);
        CREATE VIEW main.\(name) AS SELECT 'Stays after the triggers of the change history.' AS note;
        """)
  }
}
