import Foundation
import Holdfast
import HoldfastTransit

/// The chapter in which two processes have the database open.
struct SecondProcessChapter: DemoChapter {
  let title = "A second process reads along"

  func run(_ stage: DemoStage) async throws {
    let url = try stage.app.timetableURL
    let timetable = try Timetable(at: url)
    let mine = try await timetable.reader.read { db in try StopSearch("quay").fetchAll(db) }
    let theirs = try SecondProcess.stopNames(
      searching: "quay", in: url.path(percentEncoded: false))
    try stage.prove(
      "process \(theirs.process) finds the same \(mine.count) stops as process "
        + "\(ProcessInfo.processInfo.processIdentifier)",
      theirs.names == mine.map(\.stopName) && !mine.isEmpty)
  }
}
