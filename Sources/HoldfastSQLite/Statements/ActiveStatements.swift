/// The statements of a connection that are giving rows, the latest last.
///
/// A list through the statements themselves, so that beginning and ending a run cost no memory.
/// Its links hold nothing: a statement leaves the list when its run ends, and its run ends before
/// it goes.
@safe
struct ActiveStatements {
  private var last: Unmanaged<Statement>?

  /// The one that began last.
  var latest: Statement? { unsafe last?.takeUnretainedValue() }

  /// Puts a statement at the end.
  mutating func add(_ statement: Statement) {
    let link = unsafe Unmanaged.passUnretained(statement)
    unsafe statement.earlier = last
    unsafe last?._withUnsafeGuaranteedRef { unsafe $0.later = link }
    unsafe last = link
  }

  /// Takes a statement out, wherever it stands.
  mutating func remove(_ statement: Statement) {
    let earlier = unsafe statement.earlier
    let later = unsafe statement.later
    if let later = unsafe later {
      unsafe later._withUnsafeGuaranteedRef { unsafe $0.earlier = earlier }
    } else {
      unsafe last = earlier
    }
    unsafe earlier?._withUnsafeGuaranteedRef { unsafe $0.later = later }
    unsafe statement.earlier = nil
    unsafe statement.later = nil
  }
}
