import Foundation
import HoldfastInspector

extension OutputRecord {
  /// Creates the record of what is inspected.
  init(_ inspection: Inspection, _ survey: Inspection.Survey, _ engine: MapEngine) {
    let url = inspection.url
    let live = survey.items.filter { survey.users[$0.id] != nil }
    let kind: String =
      if inspection.file != nil {
        survey.items.last?.kind.rawValue ?? "file"
      } else {
        inspection.container.data == nil ? "folder" : "container"
      }
    let databases = survey.items.filter { $0.kind == .database }
    self = [
      "version": .text(Version.number), "path": .text(url.standardizedFileURL.path),
      "name": .text(url.lastPathComponent), "kind": .text(kind),
      "mode": .text(live.isEmpty ? "copied" : "live"),
      "mode_reason": .text(Self.reason(live.count, of: databases.count)),
      "files": Cell(survey.fileCount), "bytes": Self.count(survey.byteCount),
      "roots": .list(
        survey.roots.map { root in
          .record([
            "name": .text(root.name), "path": .text(root.path), "files": Cell(root.fileCount),
            "bytes": Self.count(root.byteCount),
          ])
        }),
      "items": .list(
        survey.items.map { .record(OutputRecord($0, inspection.reading(of: $0, in: survey))) }),
      "unreadable": .list(
        survey.unreadable.map { .text("\($0.path): \($0.reason)") }),
      "map_engine": .bool(engine.isThere), "map_engine_version": .text(MapEngine.version),
      "map_engine_reason": Cell(engine.problem),
    ]
  }

  private static func reason(_ live: Int, of all: Int) -> String {
    if all == 0 { return "There is no database in it." }
    if live == 0 {
      return
        "No process holds a lock on a database of it. Databases are read from private copies, which are made "
        + "when you open them."
    }
    return live == all
      ? "Other processes use its databases, which are read where they are through read-only connections."
      : "Other processes use \(live) of its \(all) databases, which are read where they are through read-only "
        + "connections; the others are read from private copies, which are made when you open them."
  }

  private static func count(_ bytes: Double) -> Cell {
    // Sparse files may have more bytes together than an integer counts.
    Int64(exactly: bytes.rounded()).map(Cell.integer) ?? .real(bytes)
  }

  private init(_ item: InspectedItem, _ reading: DatabaseReading) {
    self = [
      "id": .text(item.id), "kind": .text(item.kind.rawValue), "path": .text(item.name),
      "bytes": Cell(item.byteCount), "log_bytes": Cell(item.logByteCount),
      "database": Cell(item.database),
      "mode": item.kind == .database ? .text(reading.name) : .null,
      "mode_reason": item.kind == .database ? .text(reading.reason) : .null,
      "note": Cell(item.note),
    ]
  }
}
