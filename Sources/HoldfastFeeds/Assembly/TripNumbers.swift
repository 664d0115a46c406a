import Holdfast

/// The small numbers of each `trip_id`, which are the same in every import.
struct TripNumbers: Sendable {
  private let numbers: [ExactText: Int64]
  /// The largest number that has been assigned.
  private(set) var last: Int64

  /// Creates the numbers that an older database has assigned.
  ///
  /// - Parameters:
  ///   - numbers: The numbers, each of them once.
  ///   - last: The largest number that has been assigned, also to trips that are gone.
  init(_ numbers: [ExactText: Int64] = [:], last: Int64 = 0) {
    (self.numbers, self.last) = (numbers, last)
  }

  /// Returns the number of each trip, and assigns one to each that has none.
  ///
  /// The next free numbers are assigned in the order of the identifiers' bytes, so that the order of
  /// rows in the feed does not matter.
  ///
  /// - Parameters:
  ///   - trips: The trips.
  ///   - tripIDs: The `trip_id`s; the number of a text is the number of its trip.
  /// - Returns: The numbers, in the order of the trips.
  mutating func assign(to trips: [Int], of tripIDs: InternTable<UInt8>) -> [Int64] {
    var assigned = [Int64](repeating: 0, count: trips.count)
    if !numbers.isEmpty {
      for (position, trip) in trips.enumerated() {
        assigned[position] = numbers[ExactText(tripIDs.text(trip))] ?? 0
      }
    }
    var unnumbered = trips.indices.filter { assigned[$0] == 0 }.map {
      SortedText(tripIDs[trips[$0]], position: $0)
    }
    unnumbered.sort()
    for text in unnumbered {
      last += 1
      assigned[text.position] = last
    }
    return assigned
  }
}

/// A text with its first bytes as a number, which decide most comparisons.
private struct SortedText: Comparable {
  private let head: UInt64
  private let rest: ArraySlice<UInt8>
  let position: Int

  init(_ text: ArraySlice<UInt8>, position: Int) {
    var head: UInt64 = 0
    for byte in text.prefix(8) { head = head << 8 | UInt64(byte) }
    // A shorter text comes before those that it begins.
    head <<= UInt64(8 * (8 - min(8, text.count)))
    (self.head, rest, self.position) = (head, text, position)
  }

  static func < (one: SortedText, other: SortedText) -> Bool {
    one.head == other.head ? one.rest.lexicographicallyPrecedes(other.rest) : one.head < other.head
  }

  static func == (one: SortedText, other: SortedText) -> Bool {
    one.head == other.head && one.rest == other.rest
  }
}
