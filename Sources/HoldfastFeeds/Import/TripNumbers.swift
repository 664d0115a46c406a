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
  /// - Parameter tripIDs: The `trip_id`s, each of them once.
  /// - Returns: The numbers, in the order of the trips.
  mutating func assign(to tripIDs: [String]) -> [Int64] {
    let ids = tripIDs.map(ExactText.init)
    var assigned = ids.map { numbers[$0] ?? 0 }
    let unnumbered = assigned.indices.filter { assigned[$0] == 0 }.sorted { ids[$0] < ids[$1] }
    for index in unnumbered {
      last += 1
      assigned[index] = last
    }
    return assigned
  }
}
