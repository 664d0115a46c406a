/// The remaining work for a download that an earlier process began.
///
/// Decided from the journal entry and the files alone. Nothing is removed on a guess: what cannot be
/// looked at stays.
enum CompletionPlan: Equatable {
  /// The content is incomplete and can be continued.
  case keepPart
  /// The content is complete: rename, sync, record.
  case publish
  /// The file has its name: sync, record.
  case record
  /// A file that is the same exists already: remove the part, record.
  case adopt
  /// Another file exists at the destination; the part stays until the app decides.
  case occupied
  /// The part is gone, or the file is gone after it had its name: remove the entry.
  case forget
  /// Something could not be looked at: leave everything as it is.
  case postpone

  /// The journal's word.
  enum Phase: Equatable {
    case receiving
    case verified(replaces: Bool)
  }

  /// The file at the part's place.
  enum Part: Equatable {
    case absent, present, unknown
  }

  /// The file at the destination, compared with the verified content.
  enum Destination: Equatable {
    case absent, same, other, unknown
  }

  init(_ phase: Phase, part: Part, destination: Destination) {
    switch (phase, part, destination) {
    case (.receiving, .present, _): self = .keepPart
    case (.receiving, .absent, _): self = .forget
    case (.verified, .present, .absent), (.verified(replaces: true), .present, .other):
      self = .publish
    case (.verified, .present, .same): self = .adopt
    case (.verified, .present, .other): self = .occupied
    case (.verified, .absent, .same): self = .record
    case (.verified, .absent, .absent), (.verified, .absent, .other): self = .forget
    case (_, .unknown, _), (_, _, .unknown): self = .postpone
    }
  }
}
