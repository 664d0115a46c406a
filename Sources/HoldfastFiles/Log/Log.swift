import Synchronization

/// The place to which all modules report their events.
///
/// On Apple platforms the events go to the unified logging system, with the subsystem `holdfast`.
/// Elsewhere they are dropped. An app that has a log of its own sets a handler:
///
/// ```swift
/// Log.setHandler { event in
///   if event.level >= .info { print(event.category, event.message) }
/// }
/// ```
///
/// The handler is called where an event happens, on any thread and perhaps inside of an access. So it
/// should return soon, and must not use a database.
public enum Log {
  /// Receives events.
  public typealias Handler = @Sendable (LogEvent) -> Void

  private static let handler = Mutex<Handler?>(systemHandler)

  // Read before each event, so that a silent log costs no message.
  private static let isSilent = Atomic(systemHandler == nil)

  /// Replaces the receiver of events.
  ///
  /// - Parameter newHandler: Receives all later events, from any thread; `nil` drops them.
  public static func setHandler(_ newHandler: Handler?) {
    handler.withLock { $0 = newHandler }
    isSilent.store(newHandler == nil, ordering: .releasing)
  }

  /// Makes the system the receiver of events again, where it has a log.
  public static func useSystemHandler() {
    setHandler(systemHandler)
  }

  /// Reports an event.
  ///
  /// - Parameters:
  ///   - level: How important it is.
  ///   - category: The part of Holdfast that reports it.
  ///   - message: A sentence, which is made only when there is a receiver.
  package static func report(
    _ level: LogEvent.Level, _ category: LogCategory, _ message: @autoclosure () -> String
  ) {
    guard !isSilent.load(ordering: .acquiring) else { return }
    let event = LogEvent(category: category.rawValue, level: level, message: message())
    handler.withLock { $0 }?(event)
  }

  /// The name of a database or file in a message.
  package static func name(_ path: String?) -> String {
    path.map { "'\(FilePath($0).name)'" } ?? "a database in memory"
  }
}

/// The parts of Holdfast that report events.
package enum LogCategory: String {
  case opening, migration, suspension, externalChanges = "external-changes", feedImport = "import"
}
