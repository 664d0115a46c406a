public import Holdfast
import Synchronization

/// The searches of a text field in which a rider types: each one supersedes the one before.
///
/// ```swift
/// let suggestions = StopSuggestions(timetable.reader)
///
/// func textDidChange(to text: String) async {
///   do {
///     show(try await suggestions.search(StopSearch(text)).value)
///   } catch is CancellationError {
///     // The rider typed on.
///   } catch {
///     show(error)
///   }
/// }
/// ```
///
/// A superseded search ends at once while it waits for a connection or reads the file. Words that
/// were read are searched in steps, and it ends before the next step.
public final class StopSuggestions: Sendable {
  private let reader: any DatabaseReader
  private let latest = Mutex<Task<[Stop], any Error>?>(nil)

  /// Creates the searches of a text field.
  ///
  /// - Parameter reader: The reader of a timetable database, such as ``Timetable/reader``.
  public init(_ reader: any DatabaseReader) {
    self.reader = reader
  }

  /// Begins a search, and cancels the one before.
  ///
  /// Call it directly where the text changes, and not in a task: tasks may begin in another order.
  ///
  /// - Parameter search: The search.
  /// - Returns: The task of the search. Its value is what ``StopSearch/fetchAll(_:)`` returns or
  ///   throws, or `CancellationError` when another search has begun before this one ended.
  @discardableResult
  public func search(_ search: StopSearch) -> Task<[Stop], any Error> {
    let reader = reader
    return latest.withLock { latest in
      latest?.cancel()
      let task = Task { try await reader.read { db in try search.fetchAll(db) } }
      latest = task
      return task
    }
  }

  /// Cancels the last search, if it has not ended.
  public func cancel() {
    latest.withLock { $0 }?.cancel()
  }
}
