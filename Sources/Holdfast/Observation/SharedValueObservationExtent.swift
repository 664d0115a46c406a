/// The time during which a shared observation observes the database.
public enum SharedValueObservationExtent: Sendable {
  /// From the first subscriber on, until the shared observation is deinitialized and all of its subscribers
  /// are cancelled.
  ///
  /// The latest value is ready at any time, also for the first of new subscribers. After an error there is
  /// no further value: each new subscriber receives the error.
  case observationLifetime

  /// While there are subscribers.
  ///
  /// The next first subscriber begins again, also after an error.
  case whileObserved
}
