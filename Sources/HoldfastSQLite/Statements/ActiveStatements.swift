/// The active statements of a connection, which have been stepped and not reset, the latest last.
///
/// It is an intrusive linked list, so that beginning and ending a run allocate no memory. Its links
/// are not retained: a statement leaves the list when its run ends, and its run ends before it is
/// deallocated.
@safe
struct ActiveStatements {
  private var last: Unmanaged<Statement>?

  /// The statement that began last.
  var latest: Statement? { unsafe last?.takeUnretainedValue() }

  /// Calls the closure with each statement, the latest first.
  func forEach(_ body: (Statement) -> Void) {
    var link = unsafe last
    while let statement = unsafe link {
      unsafe statement.withBorrowed { body($0) }
      unsafe link = statement.withBorrowed { unsafe $0.earlier }
    }
  }

  /// Adds a statement at the end.
  mutating func add(_ statement: Statement) {
    let link = unsafe Unmanaged.passUnretained(statement)
    unsafe statement.earlier = last
    unsafe last?.withBorrowed { unsafe $0.later = link }
    unsafe last = link
  }

  /// Removes a statement from any position.
  mutating func remove(_ statement: Statement) {
    let earlier = unsafe statement.earlier
    let later = unsafe statement.later
    if let later = unsafe later {
      unsafe later.withBorrowed { unsafe $0.earlier = earlier }
    } else {
      unsafe last = earlier
    }
    unsafe earlier?.withBorrowed { unsafe $0.later = later }
    unsafe statement.earlier = nil
    unsafe statement.later = nil
  }
}
