/// A cache of the order in which column names are looked up in each row.
///
/// A record looks up the same names in the same order for each row. So the next name is expected to
/// be the same as in the last row, which costs one comparison and no hash.
@safe
struct ColumnLookupCache: ~Copyable {
  private struct Call {
    let name: String
    let column: Int

    /// The number of the name's bytes; -1 when not all of them are ASCII.
    private let asciiCount: Int

    init(name: String, column: Int) {
      self.name = name
      self.column = column
      asciiCount = name.utf8.allSatisfy { $0 < 0x80 } ? name.utf8.count : -1
    }

    /// Whether a name has the same bytes.
    ///
    /// More names are equal in Swift than in SQL; of the names that equal an ASCII name, all others
    /// are longer. So one comparison of the names suffices for nearly all of them.
    @inline(__always)
    func isOf(_ other: String) -> Bool {
      guard name == other else { return false }
      return other.utf8.count == asciiCount || asciiCount < 0 && name.hasSameBytes(as: other)
    }
  }

  // For each column, the name that was looked up after it the last time. Allocated memory and not
  // an array, because reading an array through a class costs a retain and a release.
  private var calls: UnsafeMutablePointer<Call>?
  private var count = 0
  private var last = 0

  deinit {
    unsafe calls?.deinitialize(count: count)
    unsafe calls?.deallocate()
  }

  /// Whether no name was looked up.
  var isEmpty: Bool { unsafe calls == nil }

  /// Returns the column of a name; `nil` when another name was expected.
  // Inlined, as the comparison is: a record asks for each of its values.
  @inline(__always)
  mutating func column(of name: String) -> Int? {
    guard let calls = unsafe calls, unsafe calls[last].isOf(name) else { return nil }
    let column = unsafe calls[last].column
    guard column >= 0 else { return nil }
    last = column
    return column
  }

  /// Records the lookup of a name.
  ///
  /// - Parameters:
  ///   - name: The name as spelled in the lookup.
  ///   - column: Its column.
  ///   - count: The number of columns, the same at each call.
  mutating func learn(_ name: String, is column: Int, of count: Int) {
    if let calls = unsafe calls {
      unsafe calls[last] = Call(name: name, column: column)
    } else {
      let calls = UnsafeMutablePointer<Call>.allocate(capacity: count)
      unsafe calls.initialize(repeating: Call(name: "", column: -1), count: count)
      unsafe self.calls = calls
      self.count = count
    }
    last = column
  }
}
