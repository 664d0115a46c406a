import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

@Suite struct TimetableFollowingConcurrencyTests {
  @Test func `Accesses during many switches see one database each`() async throws {
    let feed = try SmallFeed()
    let source = try LinkSource()
    for name in ["Ash", "Birch", "Cedar"] {
      let file = try feed.database(of: [.init(id: "S", name: name), .init(id: "T", name: name)])
      try FileManager.default.moveItem(at: file, to: source.directory.file(name))
    }
    try source.point(to: "Ash")
    let timetable = try await Timetable(following: source)
    let isOver = Switch()
    let readers = (1...4).map { _ in
      OwnThread {
        var count = 0
        while !isOver.isOn {
          let names = try timetable.reader.read { db in
            try (1...3).flatMap { _ in try Stop.fetchAll(db).map(\.stopName) }
          }
          guard Set(names).count == 1, names.count == 6 else { throw CocoaError(.fileReadUnknown) }
          count += 1
        }
        return count
      }
    }
    for number in 1...100 {
      let name = ["Ash", "Birch", "Cedar"][number % 3]
      try source.point(to: name)
      if number.isMultiple(of: 7) { source.announce() }
      // What is read after a switch is at least that new.
      #expect(try await timetable.reader.read { try Stop.fetchAll($0).map(\.stopName) }[0] == name)
    }
    isOver.isOn = true
    for reader in readers { #expect(try await reader.value > 0) }
    #expect(timetable.followingProblem == nil)
    // Each database was given up as often as it was replaced.
    await until { source.ended.entries.count == 100 }
  }
}
