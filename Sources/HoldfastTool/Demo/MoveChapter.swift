import Foundation
import Holdfast
import HoldfastTransit

/// The chapter in which the container moves to another path, and nothing is lost.
struct MoveChapter: DemoChapter {
  let title = "The system moves the container"

  func run(_ stage: DemoStage) async throws {
    let before = try stage.app.timetableURL
    let names = try stage.moveContainer()
    try stage.prove(
      "an update moved it from \(names.old.prefix(8))… to \(names.new.prefix(8))…, and the old absolute "
        + "path leads nowhere",
      !FileManager.default.fileExists(atPath: before.path(percentEncoded: false)))

    let timetable = try await stage.app.rememberedTimetable()
    let stops = try await timetable?.reader.read { db in try StopSearch("circ").fetchAll(db) }
    try stage.prove(
      "what the app remembers leads to the timetable, which answers",
      stops?.first?.stopName == "Circular Quay")
  }
}
