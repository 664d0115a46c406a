import HoldfastFiles

/// The state of content that is being fetched, and the decision about the next request.
struct ContentState: Equatable {
  /// The way in which the content is requested.
  enum Mode: Equatable {
    /// Piece by piece, so that little is in memory and an interrupted transfer is continued.
    case ranges
    /// As a whole, because pieces could not be joined safely.
    case whole
  }

  /// The number of times that a transfer begins at the first byte again before the server is given
  /// up.
  static let startOverLimit = 3

  /// The expectations of the request.
  var expected: ExpectedContent

  /// The number of bytes that the part has.
  private(set) var received: Int64 = 0

  /// The length of the content; `nil` until a response states it.
  private(set) var total: Int64?

  /// The version that the received bytes belong to.
  private(set) var validator: Validator?

  private(set) var mode = Mode.ranges
  private(set) var startOvers = 0

  /// Whether bytes were put together whose versions only a digest proves to be one.
  private(set) var isJoined = false

  /// Whether the content is received to its end.
  private(set) var isComplete = false

  init(expected: ExpectedContent) {
    self.expected = expected
  }

  /// Continues with the bytes that an earlier process has received.
  mutating func resume(at received: Int64, of total: Int64?, validator: Validator?) {
    self.received = received
    self.total = total
    self.validator = validator
    isComplete = received == total && received > 0
    isJoined = received > 0
  }

  /// Whether pieces of several responses belong to one version for certain.
  private func canJoin(_ validator: Validator?) -> Bool {
    expected.sha256 != nil || validator?.ifRange != nil
  }

  /// Whether the next request continues what was received, as far as the server lets it.
  var canContinue: Bool { mode == .ranges && canJoin(validator) }

  /// Returns the next request.
  ///
  /// - Parameter length: The greatest length of a range, in bytes.
  /// - Returns: A request for a range, or for the whole content.
  func nextRequest(rangeOf length: Int64) -> ContentRequest {
    guard mode == .ranges, received == 0 || canJoin(validator) else {
      return ContentRequest(bytes: nil, ifRange: nil)
    }
    let end = min(received + length, total ?? expected.byteCount ?? .max)
    return ContentRequest(
      bytes: received..<max(end, received + 1), ifRange: received > 0 ? validator?.ifRange : nil)
  }

  /// Decides about a response.
  func verdict(on head: ResponseHead, to request: ContentRequest) -> ResponseVerdict {
    if let encoding = ContentCoding.coding(of: head) { return .refuse(.encoded(encoding)) }
    // Of a status without content, the status is the error.
    if [200, 206].contains(head.status), let type = head.field("Content-Type"),
      !expected.types.accepts(type)
    {
      return .refuse(.contentType(type))
    }
    switch head.status {
    case 200: return verdict(onWhole: head, to: request)
    case 206: return verdict(onPart: head, to: request)
    case 416 where request.bytes != nil: return verdict(onUnsatisfied: head)
    // Some servers call a range malformed that reaches beyond the end. Later ones do not, and 400 may stand for a
    // signature that has expired: what was received is kept.
    case 400 where request.bytes != nil && received == 0: return .startOver(.wrongRange)
    case _ where HTTPStatus.isTemporary(head.status):
      return .retry(
        .status(head.status), after: head.field("Retry-After").flatMap { RetryAfter.delay($0) })
    default: return .refuse(.status(head.status))
    }
  }

  private func verdict(onWhole head: ResponseHead, to request: ContentRequest) -> ResponseVerdict {
    // The field has no meaning here, but a server that sends a part with the status 200 says so in it.
    let range = head.contentRange
    if request.bytes != nil, let range, range.isPart || range.total == nil {
      return .startOver(.wrongRange)
    }
    var total: Int64?
    if let text = head.field("Content-Length") {
      guard let length = Int64(digits: text) else {
        return .refuse(.malformed("Content-Length", text))
      }
      total = length
    }
    // Of what was requested as a whole, the length says whether it is.
    if let range, range.isPart, total == nil || total != range.total {
      return .refuse(.wrongRange(head.field("Content-Range")))
    }
    if let flaw = flaw(of: total) { return .refuse(flaw) }
    guard total != nil || expected.byteCount != nil || expected.sha256 != nil || head.marksItsEnd
    else { return .refuse(.lengthUnknown()) }
    let body = ResponseVerdict.Body(
      start: 0, end: total ?? expected.byteCount, total: total ?? expected.byteCount,
      validator: Validator(of: head))
    return .accept(body)
  }

  private func verdict(
    onPart head: ResponseHead, to request: ContentRequest
  ) -> ResponseVerdict {
    guard let wanted = request.bytes else {
      return .refuse(.wrongRange(head.field("Content-Range")))
    }
    guard let range = head.contentRange, let bytes = range.bytes,
      bytes.lowerBound == wanted.lowerBound,
      bytes.upperBound <= wanted.upperBound
    else { return .startOver(.wrongRange) }
    if let text = head.field("Content-Length"), Int64(digits: text) != Int64(bytes.count) {
      return .startOver(.wrongRange)
    }
    let validator = Validator(of: head)
    if received > 0 {
      if let known = self.validator, !known.allows(validator) { return .startOver(.changed) }
      if let known = total, let now = range.total, known != now { return .startOver(.changed) }
    }
    if let flaw = flaw(of: range.total) { return .refuse(flaw) }
    let end = range.total ?? total
    // Without a length the last range cannot be told from one that was shortened.
    guard let end else { return .startOver(.notJoinable) }
    guard bytes.upperBound == end || canJoin(received > 0 ? self.validator : validator) else {
      return .startOver(.notJoinable)
    }
    return .accept(
      ResponseVerdict.Body(
        start: bytes.lowerBound, end: bytes.upperBound, total: end,
        validator: received > 0 ? self.validator ?? validator : validator))
  }

  /// The status 416: there is nothing at the offset, or the server knows no such range.
  private func verdict(onUnsatisfied head: ResponseHead) -> ResponseVerdict {
    let range = head.contentRange
    if let flaw = flaw(of: range?.total) { return .refuse(flaw) }
    // An empty file has no byte to send.
    if received == 0, range?.total == 0 {
      return .accept(
        ResponseVerdict.Body(
          start: 0, end: 0, total: 0, validator: Validator(of: head), isEmpty: true))
    }
    // At the first byte it is the end of the range that the server refuses.
    return .startOver(received == 0 ? .wrongRange : .changed)
  }

  /// Returns the error for content of this length; `nil` when the length is possible.
  private func flaw(of total: Int64?) -> DownloadError? {
    guard let total else { return nil }
    if let expected = expected.byteCount, expected != total {
      return .wrongLength(expected: expected, found: total)
    }
    return total == 0 && expected.byteCount != 0 ? .emptyBody() : nil
  }

  // MARK: Events

  /// The body of a response begins; bytes from `start` on are replaced.
  mutating func begin(_ body: ResponseVerdict.Body) {
    // Content that the server sends from its beginning replaces what there was.
    if body.start < received { startOvers += 1 }
    if body.start == 0 {
      isJoined = false
    } else if validator?.ifRange == nil {
      isJoined = true
    }
    received = body.start
    total = body.total
    validator = body.validator
    isComplete = false
  }

  /// The body ended, or was cut, after the part has `received` bytes.
  ///
  /// - Parameters:
  ///   - body: The body that was accepted.
  ///   - received: The number of bytes that the part has.
  ///   - isWhole: Whether the transfer ended without an error.
  /// - Returns: The error when the body has not the announced length.
  mutating func end(_ body: ResponseVerdict.Body, at received: Int64, isWhole: Bool)
    -> DownloadError?
  {
    self.received = received
    guard isWhole else { return nil }
    if let end = body.end, received != end { return .cut(at: received, of: end) }
    if body.total == nil { total = received }
    isComplete = received == total
    if isComplete, let flaw = flaw(of: received) { return flaw }
    return nil
  }

  /// Begins at the first byte again, in a way that avoids the reason; throws when it happened too
  /// often.
  mutating func startOver(because reason: ResponseVerdict.Reason) throws(DownloadError) {
    startOvers += 1
    guard startOvers <= Self.startOverLimit else { throw .startedOverTooOften(reason) }
    // Servers behind one name may call one content by several versions: a single response is of one.
    let isLast = startOvers == Self.startOverLimit
    if isLast || reason != .changed && reason != .digest { mode = .whole }
    received = 0
    total = nil
    validator = nil
    isComplete = false
    isJoined = false
  }
}

/// The facts that a request states about the content.
struct ExpectedContent: Hashable {
  var byteCount: Int64?
  var sha256: SHA256Digest?
  var types = AcceptedTypes.any
}

/// One request for the content or a part of it.
struct ContentRequest: Equatable {
  /// The bytes; `nil` for all.
  var bytes: Range<Int64>?
  /// The validator for which alone the range is wanted.
  var ifRange: String?

  /// The fields of the request.
  var headers: [String: String] {
    // Bytes that a server or a proxy has compressed have another length, digest and ranges.
    var headers = ["Accept-Encoding": "identity"]
    if let bytes { headers["Range"] = "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)" }
    headers["If-Range"] = ifRange
    return headers
  }
}
