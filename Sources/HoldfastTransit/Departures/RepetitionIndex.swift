import Holdfast

/// Rows of `frequencies.txt`, by when their vehicles start.
///
/// A trip may have as many rows as it likes, and a message may name as many of their vehicles.
struct RepetitionIndex<Element> {
  /// What the starts of a row have in common: the time between them, and the remainder.
  private struct Period: Hashable {
    let headway, remainder: Int

    init(_ time: Int, every headway: Int) {
      (self.headway, remainder) = (headway, time - time.quotient(by: headway) * headway)
    }
  }

  private let periods: [Period: IntervalTree<Element>]
  private let headways: Set<Int>
  /// The rows of which only the headway is known.
  private let inexact: IntervalTree<Void>
  private let all: IntervalTree<Void>

  /// Creates the index of rows, with what each of them stands for.
  init(_ rows: [(headway: TripTables.Headway, element: Element)]) {
    let rows = rows.filter { $0.headway.start < $0.headway.end }
    func spans(_ includes: (TripTables.Headway) -> Bool) -> IntervalTree<Void> {
      IntervalTree(rows.filter { includes($0.headway) }.map { ($0.headway.span, ()) })
    }
    var starts: [Period: [(span: ClosedRange<Int>, element: Element)]] = [:]
    for (headway, element) in rows {
      let period = Period(headway.start, every: headway.headway)
      starts[period, default: []].append((headway.span, element))
    }
    periods = starts.mapValues(IntervalTree.init)
    headways = Set(rows.map(\.headway.headway))
    inexact = spans { $0.exactTimes != 1 }
    all = spans { _ in true }
  }

  /// Returns whether a time is within a row.
  func contains(_ time: Int) -> Bool { all.contains(time) }

  /// Returns whether a vehicle starts at a time of the service day.
  func hasStart(at time: Int) -> Bool { !forEach(startingAt: time) { _ in false } }

  /// Returns whether a vehicle may start at a time: at any where only the headway is known.
  func mayStart(at time: Int) -> Bool { inexact.contains(time) || hasStart(at: time) }

  /// Calls a closure with what each row stands for of which a vehicle starts at a time of the service day.
  ///
  /// - Parameters:
  ///   - time: The time in seconds.
  ///   - body: Returns whether to go on.
  /// - Returns: Whether the closure returned true each time.
  /// - Throws: The errors of the closure.
  @discardableResult
  func forEach(startingAt time: Int, while body: (Element) throws -> Bool) rethrows -> Bool {
    for headway in headways {
      guard let spans = periods[Period(time, every: headway)] else { continue }
      guard try spans.forEach(with: time, while: body) else { return false }
    }
    return true
  }
}

extension TripTables.Headway {
  fileprivate var span: ClosedRange<Int> { start...end - 1 }
}
