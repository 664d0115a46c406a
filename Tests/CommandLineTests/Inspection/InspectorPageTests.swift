import Foundation
import Testing

/// The page of `holdfast inspect` in a real browser: each view, live events of a second process, the keyboard, rules of
/// accessibility, and names that are meant to harm.
///
/// The short form looks at each kind of view once. `HOLDFAST_CASES=1000 make test FILTER=InspectorPageTests` looks at
/// every view in every shape, as `make check-long` does.
@Suite(.enabled(if: PageBrowser.isInstalled, "\(PageBrowser.absence)"), .timeLimit(.minutes(15)))
struct InspectorPageTests {
  private static let isLong =
    (ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 0) >= 100

  @Test func thePageShowsWhatAContainerHolds() throws {
    let (outcomes, errors) = try PageBrowser.outcomes(isLong: Self.isLong)
    for outcome in outcomes {
      if let failure = outcome.failure { Issue.record("\(outcome.name): \(failure)") }
    }
    #expect(outcomes.count >= 8, "\(errors)")
  }
}
