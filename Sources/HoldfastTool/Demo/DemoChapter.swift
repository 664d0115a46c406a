/// A part of the demo: a few steps, each of which is checked.
///
/// Each chapter is in a file of its own and is listed in ``DemoStory``.
protocol DemoChapter: Sendable {
  /// The title: a sentence without a full stop.
  var title: String { get }

  /// Performs the steps, describes them, and checks the results.
  func run(_ stage: DemoStage) async throws
}
