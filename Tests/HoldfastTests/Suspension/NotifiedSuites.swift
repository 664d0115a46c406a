import Testing

/// The suites whose databases observe `Database.suspendNotification`.
///
/// A notification is for all databases of the process, so that these suites and their tests run one after
/// another.
@Suite(.serialized) enum NotifiedSuites {}
