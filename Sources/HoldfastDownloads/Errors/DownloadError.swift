/// An error of a download, or the reason why a request or a response was refused.
///
/// ```swift
/// do {
///   show(try await downloader.start(request).value())
/// } catch let error as DownloadError where error.code == .noSpace {
///   show(error.message, error.advice)
/// }
/// ```
public struct DownloadError: Error, Sendable {
  /// The kinds of errors; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case invalidRequest, destinationInUse, destinationOccupied, status, encoding, redirect
      case lengthUnknown, lengthMismatch, emptyBody, digestMismatch, wrongRange, malformedResponse
      case contentType
      case network, noSpace, file, notRecorded, cancelled, closed
    }

    private let kind: Kind

    /// A request, or a part of it, is not usable.
    public static let invalidRequest = Code(kind: .invalidRequest)
    /// Another download has the same destination.
    public static let destinationInUse = Code(kind: .destinationInUse)
    /// Another file exists at the destination and the request is not forced, or this process has that
    /// file open; or a database's log is next to it.
    public static let destinationOccupied = Code(kind: .destinationOccupied)
    /// The server answered with a status that has no content, such as 404.
    public static let status = Code(kind: .status)
    /// The server encoded the content, although the request demands the bytes as they are.
    public static let encoding = Code(kind: .encoding)
    /// A redirect leads to a place that is not used, or never ends.
    public static let redirect = Code(kind: .redirect)
    /// The end of the content cannot be known: the server gives no length, the request no length
    /// and no digest.
    public static let lengthUnknown = Code(kind: .lengthUnknown)
    /// The content has another length than the request expects.
    public static let lengthMismatch = Code(kind: .lengthMismatch)
    /// The content is empty, and the request does not expect that.
    public static let emptyBody = Code(kind: .emptyBody)
    /// The content has another digest than the request expects.
    public static let digestMismatch = Code(kind: .digestMismatch)
    /// The server sends bytes outside of the requested range.
    public static let wrongRange = Code(kind: .wrongRange)
    /// A field of the response has a value that HTTP does not allow.
    public static let malformedResponse = Code(kind: .malformedResponse)
    /// The content has a media type that the request does not accept, such as a log-in page's.
    public static let contentType = Code(kind: .contentType)
    /// The server was not reached, or the connection broke.
    public static let network = Code(kind: .network)
    /// The volume has too little space; what was received is kept if it can be continued.
    public static let noSpace = Code(kind: .noSpace)
    /// A file was not written, read or renamed; see ``DownloadError/underlying``.
    public static let file = Code(kind: .file)
    /// The file is complete and at its destination, but the app's closure did not record it.
    public static let notRecorded = Code(kind: .notRecorded)
    /// The download was cancelled.
    public static let cancelled = Code(kind: .cancelled)
    /// The downloader was closed; the download can be continued by another one.
    public static let closed = Code(kind: .closed)

    /// The code's name.
    public var description: String { kind.rawValue }
  }

  /// The kind of the error.
  public var code: Code

  /// A sentence that says what happened, to what, and why.
  public var message: String

  /// An imperative sentence that says what to do next.
  public var advice: String?

  /// The HTTP status of the response, if the error concerns it.
  public var status: Int?

  /// The system's error number, when the system refused an operation on a file.
  public var errno: Int32?

  /// The cause, if another layer reported one.
  public var underlying: (any Error)?

  /// Whether the same request may succeed later, without a change.
  public var isTransient: Bool = false
}

extension DownloadError: CustomStringConvertible {
  /// The message and the advice.
  public var description: String {
    [message, advice].compactMap(\.self).joined(separator: " ")
  }
}
