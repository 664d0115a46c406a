/// An interval tree: spans of numbers, found by a number that they contain.
///
/// A question visits the spans that are found and a few others, however many there are.
struct IntervalTree<Element> {
  private let spans: [(span: ClosedRange<Int>, element: Element)]
  /// For the middle one of each part that a search divides, the greatest end of the part.
  private var ends: [Int]

  /// Creates the tree of spans, with what each of them stands for.
  init(_ spans: [(span: ClosedRange<Int>, element: Element)]) {
    self.spans = spans.sorted { $0.span.lowerBound < $1.span.lowerBound }
    ends = [Int](repeating: .min, count: spans.count)
    _ = setEnds(of: 0..<spans.count)
  }

  private mutating func setEnds(of part: Range<Int>) -> Int {
    guard !part.isEmpty else { return .min }
    let middle = Self.middle(of: part)
    let others = max(
      setEnds(of: part.lowerBound..<middle), setEnds(of: middle + 1..<part.upperBound))
    ends[middle] = max(spans[middle].span.upperBound, others)
    return ends[middle]
  }

  private static func middle(of part: Range<Int>) -> Int {
    (part.lowerBound + part.upperBound) / 2
  }

  /// Returns whether a span contains a number.
  func contains(_ number: Int) -> Bool { !forEach(with: number) { _ in false } }

  /// Calls a closure with what each span stands for that contains a number, by the beginnings of the spans.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether the closure returned true each time.
  /// - Throws: The errors of the closure.
  @discardableResult
  func forEach(with number: Int, while body: (Element) throws -> Bool) rethrows -> Bool {
    try visit(0..<spans.count, number, body)
  }

  private func visit(
    _ part: Range<Int>, _ number: Int, _ body: (Element) throws -> Bool
  ) rethrows -> Bool {
    let middle = Self.middle(of: part)
    guard !part.isEmpty, ends[middle] >= number else { return true }
    guard try visit(part.lowerBound..<middle, number, body) else { return false }
    let (span, element) = spans[middle]
    guard span.lowerBound <= number else { return true }
    if span.upperBound >= number, try !body(element) { return false }
    return try visit(middle + 1..<part.upperBound, number, body)
  }
}
