/// Remembers in which order a reader asks for the columns of each row.
///
/// A record asks for the same names in the same order for each row. So the name asked for after a
/// column is expected to be the one of the last time, which costs one comparison and no hash.
@safe
struct ColumnLookupCache: ~Copyable {
  private struct Call {
    let name: String
    let column: Int
    private let isASCII: Bool

    init(name: String, column: Int) {
      self.name = name
      self.column = column
      isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Whether a name has the same bytes.
    ///
    /// Swift finds more names equal than SQL does; of those that equal an ASCII one, every other is
    /// longer. So the comparison that looks at most names only once is right for nearly all of
    /// them.
    func isOf(_ other: String) -> Bool {
      guard name == other else { return false }
      return isASCII ? name.utf8.count == other.utf8.count : name.hasSameBytes(as: other)
    }
  }

  // For each column what was asked for after it the last time. Memory of its own and no array,
  // because an array read through a class costs a retain and a release.
  private var calls: UnsafeMutablePointer<Call>?
  private var count = 0
  private var last = 0

  deinit {
    unsafe calls?.deinitialize(count: count)
    unsafe calls?.deallocate()
  }

  /// Returns the column of a name, `nil` when another name was expected.
  mutating func column(of name: String) -> Int? {
    guard let calls = unsafe calls, unsafe calls[last].isOf(name) else { return nil }
    let column = unsafe calls[last].column
    guard column >= 0 else { return nil }
    last = column
    return column
  }

  /// Takes down that a name was asked for.
  ///
  /// - Parameters:
  ///   - name: As it was spelled.
  ///   - column: Its column.
  ///   - count: The number of columns, the same one at each call.
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
