/// An error of a download, or the reason why a request or a response was refused.
public struct DownloadError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidRequest
    }

    private let kind: Kind

    /// A request, or a part of it, is not usable.
    public static let invalidRequest = Code(kind: .invalidRequest)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// What happened, to what and why, in one sentence.
  public var message: String

  /// What to do next, in one imperative sentence.
  public var advice: String?

  /// The cause, if another layer reported one.
  public var underlying: (any Error)?
}

extension DownloadError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
