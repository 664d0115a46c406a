import Synchronization

/// The log to which all modules report their events.
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
/// The handler is called where an event happens, on any thread and possibly during an access. It
/// should return quickly, and must not use a database, wait for another thread or cancel an observation.
public enum Log {
  /// A closure that receives events.
  public typealias Handler = @Sendable (LogEvent) -> Void

  private static let handler = Mutex<Handler?>(systemHandler)

  // Checked before each event, so that no message is built for a silent log.
  private static let isSilent = Atomic(systemHandler == nil)

  /// Replaces the handler.
  ///
  /// - Parameter newHandler: Receives all later events, from any thread; `nil` drops them.
  public static func setHandler(_ newHandler: Handler?) {
    // The old handler is released after the lock.
    _ = handler.withLock { handler in
      let oldHandler = handler
      handler = newHandler
      isSilent.store(newHandler == nil, ordering: .releasing)
      return oldHandler
    }
  }

  /// Restores the default handler: the system's log, if it has one.
  public static func useSystemHandler() {
    setHandler(systemHandler)
  }

  /// Reports an event.
  ///
  /// - Parameters:
  ///   - level: The importance of the event.
  ///   - category: The part of Holdfast that reports it.
  ///   - message: A sentence, which is evaluated only when there is a handler.
  package static func report(
    _ level: LogEvent.Level, _ category: LogCategory, _ message: @autoclosure () -> String
  ) {
    guard !isSilent.load(ordering: .acquiring) else { return }
    let event = LogEvent(category: category.rawValue, level: level, message: message())
    handler.withLock { $0 }?(event)
  }

  /// Returns the name of a database or a file for use in a message.
  package static func name(_ path: String?) -> String {
    path.map { "'\(FilePath($0).name)'" } ?? "a database in memory"
  }

  /// Returns the kind of an error for use in a message, without its sentences, which name values.
  package static func kind(of error: any Error) -> String {
    (error as? FileError).map { "\($0.code)" } ?? "\(type(of: error))"
  }
}

/// The parts of Holdfast that report events.
package enum LogCategory: String {
  case opening, migration, suspension, externalChanges = "external-changes", feedImport = "import"
  case downloads, ledger, packs, maps, transit
}
