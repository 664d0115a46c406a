import Holdfast

/// Texts by their numbers, most of which follow each other.
struct NumberedTexts: Sendable {
  private struct Entry: FetchableRecord {
    let number: Int64
    let text: String

    init(row: Row) throws {
      (number, text) = (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
    }
  }

  private var numbers: [Int64] = []
  private var texts: [String] = []

  /// Reads the two columns of a query that sorts its rows by the first one.
  init(_ db: Database, _ sql: String) throws {
    let entries = try Entry.fetchCursor(db, sql: sql)
    while let entry = try entries.next() {
      numbers.append(entry.number)
      texts.append(entry.text)
    }
  }

  /// The text with a number.
  subscript(number: Int64) -> String? {
    // No number is missing up to this one.
    if let first = numbers.first, number >= first, number - first < Int64(numbers.count),
      numbers[Int(number - first)] == number
    {
      return texts[Int(number - first)]
    }
    return index(upTo: number, near: 0).flatMap { numbers[$0] == number ? texts[$0] : nil }
  }

  /// Returns the text with the greatest number up to one.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - index: The index of a text that is likely to be near; afterwards the index of the result.
  /// - Returns: The text; `nil` if all numbers are greater.
  func text(upTo number: Int64, near index: inout Int) -> String? {
    guard let found = self.index(upTo: number, near: index) else { return nil }
    index = found
    return texts[found]
  }

  private func index(upTo number: Int64, near index: Int) -> Int? {
    for candidate in index..<min(index + 2, numbers.count) where numbers[candidate] <= number {
      if candidate + 1 == numbers.count || numbers[candidate + 1] > number { return candidate }
    }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}
