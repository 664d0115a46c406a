import Holdfast

/// The small numbers of a feed's stops or routes, and of those that the feed no longer has.
struct AssignedNumbers: Sendable {
  /// The numbers, in the order of the feed.
  let numbers: [Int64]
  /// The positions in the feed, sorted by the numbers.
  let order: [Int]
  /// The identifiers that only the older database has, by their numbers.
  let retired: [(id: String, number: Int64)]

  /// Assigns a number to each identifier that has none.
  ///
  /// The next free numbers are assigned in the order of the identifiers' bytes, so that the order of
  /// rows in the feed does not matter.
  ///
  /// - Parameters:
  ///   - ids: The feed's identifiers, each of them once.
  ///   - older: The numbers that an older database has assigned.
  init(of ids: [String], older: [ExactText: Int64]) {
    var numbers = [Int64](repeating: 0, count: ids.count)
    var rest = older
    var numbered: [Int] = []
    var unnumbered: [(id: ExactText, position: Int)] = []
    for (position, text) in ids.enumerated() {
      let id = ExactText(text)
      if !older.isEmpty, let number = rest.removeValue(forKey: id) {
        numbers[position] = number
        numbered.append(position)
      } else {
        unnumbered.append((id, position))
      }
    }
    retired = rest.map { ($0.key.text, $0.value) }.sorted { $0.1 < $1.1 }
    numbered.sort { numbers[$0] < numbers[$1] }
    unnumbered.sort { $0.id < $1.id }
    order = numbered + unnumbered.map(\.position)
    var last = older.values.max() ?? 0
    for (_, position) in unnumbered {
      last += 1
      numbers[position] = last
    }
    self.numbers = numbers
  }

  /// The number of all identifiers.
  var count: Int { numbers.count + retired.count }
}
