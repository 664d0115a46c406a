import Holdfast
import HoldfastTransit

/// The chapter in which a rider searches for a stop.
struct SearchChapter: DemoChapter {
  let title = "A rider types"

  func run(_ stage: DemoStage) async throws {
    let timetable = try Timetable(at: stage.app.timetableURL)
    let texts = ["circ", "quay circ", "CIRCULAR", "circular-q"]
    let found = try await timetable.reader.read { db in
      try texts.map { try StopSearch($0).fetchAll(db).first?.stopName }
    }
    try stage.prove(
      "each of \(texts.map { "'\($0)'" }.joined(separator: ", ")) finds Circular Quay",
      found.allSatisfy { $0 == "Circular Quay" })
    let hostile = #"" OR 1=1; NEAR(* ^name:NOT -"#
    let stops = try await timetable.reader.read { db in try StopSearch(hostile).fetchAll(db) }
    try stage.prove("'\(hostile)' is text like any other: it finds nothing", stops.isEmpty)
  }
}
