import Synchronization

/// Who is told of what an observation does.
struct ValueObservationEvents: Sendable {
  var willStart: (@Sendable () -> Void)?
  var willTrackRegion: (@Sendable (DatabaseRegion) -> Void)?
  var databaseDidChange: (@Sendable () -> Void)?
  var didFail: (@Sendable (any Error) -> Void)?
  var didCancel: (@Sendable () -> Void)?
}

extension ValueObservation {
  /// Returns an observation that calls closures when something happens to it.
  ///
  /// They are called on any thread.
  ///
  /// - Parameters:
  ///   - willStart: The observation is started.
  ///   - willFetch: The value is about to be fetched.
  ///   - willTrackRegion: From now on this region is followed.
  ///   - databaseDidChange: A commit touched the region, and a fetch is due.
  ///   - didReceiveValue: There is a value to deliver.
  ///   - didFail: An error ended the observation.
  ///   - didCancel: The observation was cancelled.
  /// - Returns: The observation.
  public func handleEvents(
    willStart: (@Sendable () -> Void)? = nil,
    willFetch: (@Sendable () -> Void)? = nil,
    willTrackRegion: (@Sendable (DatabaseRegion) -> Void)? = nil,
    databaseDidChange: (@Sendable () -> Void)? = nil,
    didReceiveValue: (@Sendable (Reducer.Value) -> Void)? = nil,
    didFail: (@Sendable (any Error) -> Void)? = nil,
    didCancel: (@Sendable () -> Void)? = nil
  ) -> ValueObservation<ValueReducers.Trace<Reducer>> {
    var observation = reducing {
      ValueReducers.Trace(base: $0, willFetch: willFetch, didReceiveValue: didReceiveValue)
    }
    let first = events
    observation.events = ValueObservationEvents(
      willStart: chain(first.willStart, willStart),
      willTrackRegion: chain(first.willTrackRegion, willTrackRegion),
      databaseDidChange: chain(first.databaseDidChange, databaseDidChange),
      didFail: chain(first.didFail, didFail),
      didCancel: chain(first.didCancel, didCancel))
    return observation
  }

  /// Returns an observation that prints what happens to it, a line each.
  ///
  /// - Parameters:
  ///   - prefix: What each line begins with, before a colon.
  ///   - stream: Where lines go; to the standard output when `nil`.
  /// - Returns: The observation.
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

private func chain(
  _ first: (@Sendable () -> Void)?, _ second: (@Sendable () -> Void)?
) -> (@Sendable () -> Void)? {
  guard let first, let second else { return first ?? second }
  return {
    first()
    second()
  }
}

private func chain<Subject>(
  _ first: (@Sendable (Subject) -> Void)?, _ second: (@Sendable (Subject) -> Void)?
) -> (@Sendable (Subject) -> Void)? {
  guard let first, let second else { return first ?? second }
  return { subject in
    first(subject)
    second(subject)
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
