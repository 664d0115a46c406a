import Foundation
import Holdfast
import HoldfastTransit

/// The chapter in which the container moves to another path, and nothing is lost.
struct MoveChapter: DemoChapter {
  let title = "The system moves the container"

  func run(_ stage: DemoStage) async throws {
    let before = try stage.app.timetableURL
    let names = try stage.moveContainer()
    try stage.say(
      "An update of the app does that, or a restored backup: "
        + "\(names.old.prefix(8))… is \(names.new.prefix(8))… now.")
    try stage.prove(
      "the absolute path of before leads nowhere",
      !FileManager.default.fileExists(atPath: before.path(percentEncoded: false)))

    let timetable = try await stage.app.rememberedTimetable()
    let stops = try await timetable?.reader.read { db in try StopSearch("circ").fetchAll(db) }
    try stage.prove(
      "what the app remembers leads to the timetable, which answers",
      stops?.first?.stopName == "Circular Quay")
  }
}
