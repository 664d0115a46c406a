import Foundation
import HoldfastFiles

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Every error message of this module.

extension DownloadError {
  // MARK: Requests

  static func invalidRequest(_ request: DownloadRequest, _ flaw: DownloadRequest.Flaw) -> Self {
    let (reason, advice) =
      switch flaw {
      case .emptyID: ("its id is empty", "Give each download an id of the app.")
      case .url:
        (
          "its URL, '\(request.url.absoluteString)', is not an absolute one of http or https",
          "Use a complete http or https URL."
        )
      case .destination:
        (
          "'\(request.destination)' is not the path of a file that can be written",
          "Use the path of a file in a root other than the bundle."
        )
      case .length: ("its expected length is negative", "Leave an unknown length out.")
      case .header(let name):
        (
          "its field '\(name)' contains characters that HTTP does not allow",
          "Leave out line breaks and other control characters."
        )
      }
    return DownloadError(
      code: .invalidRequest, message: "The download '\(request.id)' was not started: \(reason).",
      advice: advice)
  }

  static func folderNotOwn(_ folder: RelocatablePath) -> Self {
    DownloadError(
      code: .invalidRequest,
      message: "'\(folder)' was not used for downloads: a lock is held there, and the system ends "
        + "an app that is suspended while it holds one in an app group.",
      advice: "Use a folder in the app's own container; destinations may be in the group.")
  }

  static func destinationInUse(_ request: DownloadRequest) -> Self {
    DownloadError(
      code: .destinationInUse,
      message: "The download '\(request.id)' was not started: another one writes "
        + "'\(request.destination)'.",
      advice: "Wait for the other download, or choose another destination.")
  }

  static func destinationOccupied(_ path: RelocatablePath, _ reason: String) -> Self {
    DownloadError(
      code: .destinationOccupied, message: "'\(path)' was not downloaded: \(reason).",
      advice: "Remove that file, choose another destination, or force the download.")
  }

  static func logNextToDestination(_ path: RelocatablePath, _ log: FilePath) -> Self {
    DownloadError(
      code: .destinationOccupied,
      message: "'\(path)' was not downloaded: '\(log.name)' next to it has content, which SQLite "
        + "would apply to the new file.",
      advice: "Close every connection to the database, or choose another destination; move "
        + "'\(log.name)' away if it is not needed. The content is kept.")
  }

  static func destinationOpen(_ path: RelocatablePath) -> Self {
    DownloadError(
      code: .destinationOccupied,
      message: "'\(path)' was not replaced: this process has it open, or the system does not say "
        + "whether it has.",
      advice: "Close the file and start the download again; the content is kept.")
  }

  static func notNamed(_ path: RelocatablePath, _ file: FilePath, _ errno: Errno) -> Self {
    [.alreadyExists, .isDirectory].contains(errno)
      ? .destinationOccupied(path, "something else has this name")
      : .file("renamed", file, errno)
  }

  // MARK: Responses

  static func contentType(_ type: String) -> Self {
    DownloadError(
      code: .contentType,
      message: "The content has the type '\(type)', which the request does not accept.",
      advice: "Check whether the network shows a log-in page; if the type is right, add it to the "
        + "request's acceptedTypes.")
  }

  static func status(_ status: Int) -> Self {
    let isPassing = HTTPStatus.isTemporary(status)
    let text = HTTPURLResponse.localizedString(forStatusCode: status)
    return DownloadError(
      code: .status, message: "The server answered with the status \(status) (\(text)).",
      advice: isPassing ? "Try again later." : "Check the URL and the permission to fetch it.",
      status: status, isTransient: isPassing)
  }

  static func encoded(_ encoding: String) -> Self {
    DownloadError(
      code: .encoding,
      message: "The server encoded the content as '\(encoding)', although the request allows only "
        + "'identity'.",
      advice: "Make the server send the file as it is, without Content-Encoding.")
  }

  static func malformed(_ field: String, _ value: String) -> Self {
    DownloadError(
      code: .malformedResponse,
      message: "The field '\(field)' of the response has the value '\(value)'.",
      advice: "Report this to the server's operator.")
  }

  static func notHTTP() -> Self {
    DownloadError(
      code: .malformedResponse, message: "The response is not one of HTTP.",
      advice: "Check the URL.")
  }

  static func lengthUnknown() -> Self {
    DownloadError(
      code: .lengthUnknown,
      message: "The end of the content cannot be known: the response has no length, and its "
        + "connection ends at the end or at any fault.",
      advice: "Give the request the expected length or the expected SHA-256.")
  }

  static func wrongLength(expected: Int64, found: Int64) -> Self {
    DownloadError(
      code: .lengthMismatch,
      message: "The content has \(found) bytes, and \(expected) were expected.",
      advice: "Check whether the server has another version now.")
  }

  static func tooLong(_ expected: Int64) -> Self {
    DownloadError(
      code: .lengthMismatch, message: "The content has more than the expected \(expected) bytes.",
      advice: "Check whether the server has another version now.")
  }

  static func emptyBody() -> Self {
    DownloadError(
      code: .emptyBody, message: "The content is empty.",
      advice: "Expect a length of 0 if the file is meant to be empty.")
  }

  static func wrongRange(_ text: String?) -> Self {
    DownloadError(
      code: .wrongRange,
      message: "The server sent \(text.map { "the range '\($0)'" } ?? "a part without a range"), "
        + "which was not requested.",
      advice: "Report this to the server's operator.")
  }

  static func digestMismatch(expected: SHA256Digest, found: SHA256Digest) -> Self {
    DownloadError(
      code: .digestMismatch,
      message:
        "The content is not the expected one: SHA-256 \(expected) was expected, \(found) was "
        + "found.",
      advice: "Check whether the server has another version now.")
  }

  static func startedOverTooOften(_ reason: ResponseVerdict.Reason) -> Self {
    let (code, text): (Code, String) =
      switch reason {
      case .changed: (.wrongRange, "the content changed during each transfer")
      case .wrongRange, .notJoinable: (.wrongRange, "the server sent other ranges than requested")
      case .digest: (.digestMismatch, "the digest was another one each time")
      }
    return DownloadError(
      code: code,
      message: "The content was requested \(ContentState.startOverLimit + 1) times from its "
        + "beginning: \(text).",
      advice: "Try again when the server has settled.", isTransient: true)
  }

  static func cut(at received: Int64, of total: Int64) -> Self {
    DownloadError(
      code: .network, message: "The connection ended after \(received) of \(total) bytes.",
      advice: "Try again; what was received is kept.", isTransient: true)
  }

  // MARK: Network

  static func redirect(_ target: URL, _ reason: RedirectVerdict.Reason) -> Self {
    let why =
      switch reason {
      case .tooMany(let limit): "it is one of more than \(limit)"
      case .loop: "it was requested before, so the redirects would never end"
      case .insecure: "it leads from https to http"
      case .scheme: "it is not a URL of http or https"
      }
    return DownloadError(
      code: .redirect,
      message: "The redirect to '\(target.absoluteString)' was not followed: \(why).",
      advice: "Check the URL, or report this to the server's operator.")
  }

  static func network(_ cause: any Error) -> Self {
    let reason = (cause as? URLError)?.localizedDescription ?? "\(cause)"
    return DownloadError(
      code: .network, message: "The transfer ended early: \(reason)",
      advice: "Check the connection and try again; what was received is kept.", underlying: cause,
      isTransient: TransferFailure.isTemporary(cause))
  }

  // MARK: Files

  static func noSpace(needed: Int64, free: Int64, reserve: Int64) -> Self {
    DownloadError(
      code: .noSpace,
      message: "The volume has \(free) bytes free, and the download needs \(needed) more and a "
        + "reserve of \(reserve).",
      advice: "Free some space and start the download again; what was received is kept.")
  }

  static func file(_ cause: FileError) -> Self {
    DownloadError(
      code: cause.code == .noSpace ? .noSpace : .file, message: cause.message,
      advice: cause.advice, errno: cause.errno, underlying: cause)
  }

  static func file(_ operation: String, _ path: FilePath, _ errno: Errno) -> Self {
    let isFull = errno == .noSpace || errno == .quotaExceeded
    return DownloadError(
      code: isFull ? .noSpace : .file,
      message: "'\(path.name)' was not \(operation): the system said "
        + "'\(SystemCalls.description(of: errno))'.",
      advice: isFull
        ? "Free some space and start the download again; what was received is kept."
        : "Check the folder and its permissions.",
      errno: errno.rawValue)
  }

  static func partInUse(_ path: FilePath) -> Self {
    DownloadError(
      code: .file, message: "'\(path.name)' was changed by something else during the download.",
      advice: "Let each folder of downloads be used by one downloader.")
  }

  static func notRecorded(_ path: RelocatablePath, _ cause: any Error) -> Self {
    DownloadError(
      code: .notRecorded,
      message: "'\(path)' is complete, but was not recorded: \(cause)",
      advice: "Start the download again; only the recording is repeated.", underlying: cause)
  }

  // MARK: Ends

  static func cancelled(_ id: String) -> Self {
    DownloadError(
      code: .cancelled, message: "The download '\(id)' was cancelled.",
      advice: "Start it again if it is still wanted.")
  }

  static func closed(_ id: String) -> Self {
    DownloadError(
      code: .closed, message: "The download '\(id)' ended because its downloader was closed.",
      advice: "Start it again with a new downloader; what was received is kept.")
  }
}
