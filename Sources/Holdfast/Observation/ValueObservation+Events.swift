import Synchronization

/// An event of an observation, apart from its values.
enum ObservationEvent: Sendable {
  case start
  case region(DatabaseRegion)
  case change
  case failure(any Error)
  case cancellation
}

extension ValueObservation {
  /// Returns an observation that calls closures for its events.
  ///
  /// They are called on any thread.
  ///
  /// - Parameters:
  ///   - willStart: The observation is started.
  ///   - willFetch: The value is about to be fetched.
  ///   - willTrackRegion: From now on this region is observed.
  ///   - databaseDidChange: A commit touched the region, and a fetch is due.
  ///   - didReceiveValue: There is a value to deliver.
  ///   - didFail: An error ended the observation.
  ///   - didCancel: The observation was cancelled.
  /// - Returns: An observation of the same values.
  public func handleEvents(
    willStart: (@Sendable () -> Void)? = nil,
    willFetch: (@Sendable () -> Void)? = nil,
    willTrackRegion: (@Sendable (DatabaseRegion) -> Void)? = nil,
    databaseDidChange: (@Sendable () -> Void)? = nil,
    didReceiveValue: (@Sendable (Reducer.Value) -> Void)? = nil,
    didFail: (@Sendable (any Error) -> Void)? = nil,
    didCancel: (@Sendable () -> Void)? = nil
  ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
    var observation = reducing { base in
      ValueReducers.Trace(base: base) { step in
        switch step {
        case .fetching: willFetch?()
        case .made(let value): didReceiveValue?(value)
        }
      }
    }
    observation.handlers.append { event in
      switch event {
      case .start: willStart?()
      case .region(let region): willTrackRegion?(region)
      case .change: databaseDidChange?()
      case .failure(let error): didFail?(error)
      case .cancellation: didCancel?()
      }
    }
    return observation
  }

  /// Returns an observation that prints its events, one per line.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line, before a colon.
  ///   - stream: Where lines go; to the standard output when `nil`.
  /// - Returns: An observation of the same values.
  public func print(
    _ prefix: String = "", to stream: sending (any TextOutputStream)? = nil
  ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
    let lines = ObservationLines(prefix, to: stream)
    return handleEvents(
      willStart: { lines.print("start") },
      willFetch: { lines.print("fetch") },
      willTrackRegion: { lines.print("tracked region: \($0)") },
      databaseDidChange: { lines.print("database did change") },
      didReceiveValue: { lines.print("value: \($0)") },
      didFail: { lines.print("failure: \($0)") },
      didCancel: { lines.print("cancel") })
  }
}

/// The lines that an observation prints, from whatever thread.
private final class ObservationLines: Sendable {
  private let prefix: String
  private let stream: Mutex<(any TextOutputStream)?>

  init(_ prefix: String, to stream: sending (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : "\(prefix): "
    self.stream = Mutex(stream)
  }

  func print(_ text: String) {
    stream.withLock { stream in
      guard stream != nil else { return Swift.print(prefix + text) }
      stream?.write("\(prefix)\(text)\n")
    }
  }
}
