/// Elements of stops, of which those of one stop lie in a row.
struct StopLists<Element> {
  /// The index of the first element of each stop, and the one after the last; -1 if they are unknown.
  private(set) var starts: [Int32]
  private(set) var ends: [Int32]
  private(set) var elements: [Element] = []

  /// Creates lists of which none is known.
  ///
  /// - Parameter count: The number of stops.
  init(_ count: Int) {
    starts = [Int32](repeating: -1, count: count)
    ends = starts
  }

  func isKnown(_ stop: Int) -> Bool { starts[stop] >= 0 }

  /// The elements of a stop that are known.
  func of(_ stop: Int) -> ArraySlice<Element> { elements[Int(starts[stop])..<Int(ends[stop])] }

  /// Makes the elements known that are appended until the next one is begun.
  mutating func begin(_ stop: Int) {
    starts[stop] = Int32(elements.count)
    ends[stop] = Int32(elements.count)
  }

  /// Appends an element of the stop that was begun.
  mutating func append(_ element: Element, of stop: Int) {
    elements.append(element)
    ends[stop] = Int32(elements.count)
  }

  /// Elements of some stops, stop by stop.
  struct Part {
    var elements: [Element] = []
    /// The index after the last element of each stop.
    fileprivate var ends: [Int32] = []

    /// Ends the elements of a stop; what is appended then belongs to the next one.
    mutating func endStop() { ends.append(Int32(elements.count)) }
  }

  /// Makes the elements of stops known, which lie one stop after the other in a part.
  mutating func append(_ part: Part, of stops: ArraySlice<Int>) {
    makeRoom(for: part.elements.count, of: stops.count)
    let first = Int32(elements.count)
    var start = first
    elements += part.elements
    for (stop, end) in zip(stops, part.ends) {
      (starts[stop], ends[stop]) = (start, first + end)
      start = first + end
    }
  }

  /// Makes room for elements of some stops, and for those of all stops if these are many, so that little
  /// is copied; only what is written to takes memory.
  private mutating func makeRoom(for added: Int, of stops: Int) {
    let count = elements.count + added
    guard count > elements.capacity else { return }
    // Twice as many as before would be megabytes that nothing needs.
    let all = stops < 100 ? 0 : min(added * starts.count / stops, 1 << 20)
    elements.reserveCapacity(max(count, all) + max(count, all) / 8)
  }

  /// Returns the elements of the stops that these lead to, by the stops from which they lead.
  ///
  /// - Parameters:
  ///   - target: Returns the stop that an element leads to.
  ///   - reversed: Returns the element that leads back to a stop.
  /// - Returns: The elements, all of which are known.
  func reversed(
    by target: (Element) -> Int32, _ reversed: (Element, _ stop: Int32) -> Element
  ) -> StopLists {
    var lists = StopLists(starts.count)
    var counts = [Int32](repeating: 0, count: starts.count)
    for element in elements { counts[Int(target(element))] += 1 }
    var next: Int32 = 0
    for stop in starts.indices {
      (lists.starts[stop], lists.ends[stop]) = (next, next)
      next += counts[stop]
    }
    guard let first = elements.first else { return lists }
    lists.elements = [Element](repeating: first, count: elements.count)
    for stop in starts.indices {
      for element in of(stop) {
        let end = Int(target(element))
        lists.elements[Int(lists.ends[end])] = reversed(element, Int32(stop))
        lists.ends[end] += 1
      }
    }
    return lists
  }
}

extension StopLists.Part: Sendable where Element: Sendable {}
