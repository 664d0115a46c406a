/// A part of an object, which counts the ones that are alive.
final class Life {
  /// The count of the current test.
  @TaskLocal static var alive = Shared(0)

  private let count = Life.alive

  init() { count.change { $0 += 1 } }
  deinit { count.change { $0 -= 1 } }
}
