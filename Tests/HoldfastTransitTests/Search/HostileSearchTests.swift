import Foundation
import Holdfast
import HoldfastFeeds
import HoldfastTestSupport
import HoldfastTransit
import Testing

@Suite struct HostileSearchTests {
  @Test func hostileTextNeverCausesAnError() throws {
    let directory = try TemporaryDirectory()
    let database = directory.file("harbour.db")
    try FeedImporter(feed: PortMerrow.folder, output: database).run()
    let timetable = try Timetable(at: database)
    var random = SeededRandom()
    var found = 0
    try timetable.reader.read { db in
      for number in 0..<10_000 {
        var text = String.hostile(using: &random)
        // Some are as long as a page.
        while number.isMultiple(of: 200), text.utf8.count < 10_000 {
          text += String.hostile(using: &random) + (Bool.random(using: &random) ? " x" : "")
        }
        let limit = Int.random(in: 0...60, using: &random)
        let stops = try StopSearch(text, limit: limit).fetchAll(db)
        #expect(stops.count <= limit, "\(text)")
        found += stops.isEmpty ? 0 : 1
      }
    }
    // A search that never finds anything would prove nothing.
    #expect(found > 500)
  }
}
