#if canImport(os)
  import os

  extension Log {
    /// Forwards events to the unified logging system.
    ///
    /// Messages contain no values and no folders, so they are public.
    static let systemHandler: Handler? = { event in
      let logger = Logger(subsystem: LogEvent.subsystem, category: event.category)
      switch event.level {
      case .debug: logger.debug("\(event.message, privacy: .public)")
      case .info: logger.info("\(event.message, privacy: .public)")
      case .notice: logger.notice("\(event.message, privacy: .public)")
      case .error: logger.error("\(event.message, privacy: .public)")
      }
    }
  }
#else
  extension Log {
    static let systemHandler: Handler? = nil
  }
#endif
