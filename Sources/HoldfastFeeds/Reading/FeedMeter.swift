/// A meter of the fraction of the bytes that has been read.
final class FeedMeter {
  private let progress: (Double) throws -> Void
  private var total = 0.0
  private var read = 0.0

  init(_ progress: @escaping (Double) throws -> Void) { self.progress = progress }

  /// Adds sizes to the total, in floating point: declared sizes may be wrong, and their sum may
  /// overflow an integer.
  func expect(_ sizes: [Int]) {
    for size in sizes { total += Double(size) }
  }

  func count(_ bytes: Int) throws {
    read += Double(bytes)
    try progress(total == 0 ? 1 : min(1, read / total))
  }
}
