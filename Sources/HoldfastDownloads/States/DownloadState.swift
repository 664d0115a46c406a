/// The state of a download.
public enum DownloadState: Hashable, Sendable {
  /// It waits for its turn.
  case waiting
  /// Bytes are transferred.
  case transferring
  /// It waits until it is tried again.
  case retrying
  /// The content is complete; it is checked, made durable, renamed and recorded.
  case finishing
  /// It is paused; what was received is kept.
  case paused
  /// The file is at its destination and recorded.
  case finished
  /// It failed; see ``Download/value()``. What was received is kept where a later download with
  /// the same id can use it.
  case failed
  /// It was cancelled; nothing of it is left.
  case cancelled

  /// Whether the state never changes again.
  public var isFinal: Bool { [.finished, .failed, .cancelled].contains(self) }
}
