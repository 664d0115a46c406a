/// One part of the demo: a few steps, each of which is checked.
///
/// A chapter lives in a file of its own and is listed in ``DemoStory``.
protocol DemoChapter: Sendable {
  /// What happens, as a sentence without a full stop.
  var title: String { get }

  /// Does it, says what is done, and proves what is claimed.
  func tell(_ stage: DemoStage) async throws
}
