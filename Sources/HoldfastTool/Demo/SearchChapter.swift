import Holdfast
import HoldfastTransit

/// The chapter in which a rider searches for a stop.
struct SearchChapter: DemoChapter {
  let title = "A rider types"

  func run(_ stage: DemoStage) async throws {
    let timetable = try Timetable(at: stage.app.timetableURL)
    for text in ["circ", "quay circ", "CIRCULAR", "circular-q"] {
      let stops = try await timetable.reader.read { db in try StopSearch(text).fetchAll(db) }
      try stage.prove("'\(text)' finds Circular Quay", stops.first?.stopName == "Circular Quay")
    }
    let hostile = #"" OR 1=1; NEAR(* ^name:NOT -"#
    let stops = try await timetable.reader.read { db in try StopSearch(hostile).fetchAll(db) }
    try stage.prove("'\(hostile)' is text like any other: it finds nothing", stops.isEmpty)
  }
}
