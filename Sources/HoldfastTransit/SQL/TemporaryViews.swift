import Holdfast

/// The decision which views a connection gets besides what its file stores.
///
/// No view has the name of something that the file stores, as SQLite compares names: a temporary
/// object would hide it.
struct TemporaryViews {
  /// A view that shows all of one table.
  struct View: Equatable {
    var name: String
    /// The table as SQL names it.
    var source: String
  }

  let views: [View]

  /// Decides.
  ///
  /// The files that GTFS defines get a name without `gtfs_` too. Others do not: a file may have the
  /// name of one of SQLite's own tables or functions.
  ///
  /// - Parameters:
  ///   - stored: The names of everything that the file stores.
  ///   - files: The names of the files that are virtual tables.
  init(stored: [String], files: [String]) {
    let taken = Set(stored.map { DatabaseIdentifier($0) })
    let virtual = files.map { TimetableSchema.table(ofFile: $0) }
      .filter { !taken.contains(DatabaseIdentifier($0)) }
    var views = virtual.map { View(name: $0, source: "holdfast_\($0)") }
    let own = Set(virtual.map { DatabaseIdentifier($0) })
    for file in (files + TimetableSchema.plainFiles.keys).map(ExactText.init).sorted() {
      let table = TimetableSchema.table(ofFile: file.text)
      let name = String(table.dropFirst("gtfs_".count))
      guard !taken.contains(DatabaseIdentifier(name)) else { continue }
      if own.contains(DatabaseIdentifier(table)) {
        views.append(View(name: name, source: "temp.\(table)"))
      } else if taken.contains(DatabaseIdentifier(table)) {
        views.append(View(name: name, source: "main.\(table)"))
      }
    }
    self.views = views
  }
}
