import Foundation
import Holdfast
import HoldfastTestSupport
import HoldfastTransit
import Testing

/// What a rider no longer waits for is not searched.
@Suite struct StopSuggestionsConcurrencyTests {
  let feed: SmallFeed

  init() throws { feed = try SmallFeed() }

  @Test func `A keystroke cancels the search of the one before`() async throws {
    let timetable = try feed.timetable(named: ["Circular Quay", "Central"])
    let suggestions = StopSuggestions(timetable.reader)
    let gate = DispatchSemaphore(value: 0)
    let isReading = Switch()
    // The only connection is busy, so that the searches wait.
    let reading = Task {
      try await timetable.reader.read { _ in
        isReading.isOn = true
        gate.wait()
      }
    }
    await until { isReading.isOn }
    let first = suggestions.search(StopSearch("c"))
    let second = suggestions.search(StopSearch("ci"))
    // Before the connection is free.
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.signal()
    #expect(try await second.value.map(\.stopName) == ["Circular Quay"])
    try await reading.value
    // One that has ended keeps its answer.
    let third = suggestions.search(StopSearch("cent"))
    #expect(try await third.value.map(\.stopName) == ["Central"])
    #expect(try await second.value.count == 1)
    suggestions.cancel()
    #expect(try await suggestions.search(StopSearch("q")).value.count == 1)
  }
}
