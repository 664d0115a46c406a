/// A view that shows whether the history's triggers were dropped and created again.
///
/// A table that is rebuilt as SQLite's manual describes gets its triggers back from their saved
/// text, which does not show that they were missing while rows were copied. Their position in the
/// schema does: a new object is placed after all others, VACUUM keeps the order of triggers and
/// views, and ALTER TABLE changes their text in place. So a view is created after the triggers, and
/// a trigger that comes after it is not the original one.
///
/// - SeeAlso: <https://www.sqlite.org/lang_altertable.html#otheralter>,
///   <https://www.sqlite.org/schematab.html>
enum HistorySeal {
  /// The name of the view.
  static let name = "holdfast_history_seal"

  /// Recreates the view, after the existing triggers.
  static func renew(_ db: Database) throws {
    try db.execute(
      sql: """
        DROP VIEW IF EXISTS main.\(name);
        CREATE VIEW main.\(name) AS SELECT 'Stays after the triggers of the change history.' AS note;
        """)
  }
}
