/// The statements of a connection that are giving rows, the latest last.
///
/// A list through the statements themselves, so that beginning and ending a run cost no memory.
/// Its links are unowned and unchecked: a statement leaves the list when its run ends, and its run
/// ends before it goes.
@safe
struct ActiveStatements {
  private unowned(unsafe) var last: Statement?

  /// The one that began last.
  var latest: Statement? { unsafe last }

  /// Puts a statement at the end.
  mutating func add(_ statement: Statement) {
    unsafe statement.earlier = last
    unsafe last?.later = statement
    unsafe last = statement
  }

  /// Takes a statement out, wherever it stands.
  mutating func remove(_ statement: Statement) {
    let earlier = unsafe statement.earlier
    let later = unsafe statement.later
    if let later {
      unsafe later.earlier = earlier
    } else {
      unsafe last = earlier
    }
    unsafe earlier?.later = later
    unsafe statement.earlier = nil
    unsafe statement.later = nil
  }
}
