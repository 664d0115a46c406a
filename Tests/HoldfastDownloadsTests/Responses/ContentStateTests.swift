import Foundation
import HoldfastFiles
import Testing

@testable import HoldfastDownloads

/// The decision about each kind of response.
struct ContentStateTests {
  private static let digest = SHA256Digest(bytes: Array(repeating: 7, count: 32))
  private static let tag = ["ETag": "\"a\""]

  private func head(_ status: Int, _ fields: [String: String] = [:]) -> ResponseHead {
    ResponseHead(status: status, fields: fields)
  }

  /// A state that has received 100 bytes of 1000 with an entity tag.
  private func begun(_ expected: ExpectedContent = ExpectedContent()) -> ContentState {
    var state = ContentState(expected: expected)
    state.resume(at: 100, of: 1000, validator: Validator(etag: "\"a\""))
    return state
  }

  private func verdict(
    _ state: ContentState, _ head: ResponseHead, length: Int64 = 200
  ) -> ResponseVerdict {
    state.verdict(on: head, to: state.nextRequest(rangeOf: length))
  }

  // MARK: Requests

  @Test func theFirstRequestIsForTheFirstRange() {
    let request = ContentState(expected: ExpectedContent()).nextRequest(rangeOf: 200)
    #expect(request.headers == ["Range": "bytes=0-199", "Accept-Encoding": "identity"])
  }

  @Test func aLaterRequestNamesTheVersion() {
    let request = begun().nextRequest(rangeOf: 200)
    #expect(
      request.headers == [
        "Range": "bytes=100-299", "If-Range": "\"a\"", "Accept-Encoding": "identity",
      ])
  }

  @Test func theLastRangeEndsWithTheContent() {
    #expect(begun().nextRequest(rangeOf: 5000).bytes == 100..<1000)
  }

  @Test(arguments: [
    Validator(etag: "W/\"a\""), Validator(etag: "a"), Validator(),
    Validator(lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"),
  ])
  func withoutAStrongValidatorTheWholeIsRequestedAgain(_ validator: Validator) {
    var state = ContentState(expected: ExpectedContent())
    state.resume(at: 100, of: 1000, validator: validator)
    #expect(state.nextRequest(rangeOf: 200) == ContentRequest(bytes: nil, ifRange: nil))
  }

  @Test func anExpectedDigestJoinsPiecesWithoutAValidator() {
    var state = ContentState(expected: ExpectedContent(sha256: Self.digest))
    state.resume(at: 100, of: 1000, validator: Validator(etag: "W/\"a\""))
    #expect(state.nextRequest(rangeOf: 200) == ContentRequest(bytes: 100..<300, ifRange: nil))
  }

  @Test func aTimeIsStrongOnceAMinuteHasPassed() {
    let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
    for (sent, isStrong) in [("08:50:36", false), ("08:50:37", true)] {
      let fields = ["Last-Modified": changed, "Date": "Sun, 06 Nov 1994 \(sent) GMT"]
      #expect(Validator(of: head(206, fields)).ifRange == (isStrong ? changed : nil))
    }
  }

  // MARK: Status 200

  @Test func aWholeBodyIsWrittenFromItsBeginning() {
    let whole = head(200, ["Content-Length": "1000"].merging(Self.tag) { $1 })
    let body = ResponseVerdict.Body(
      start: 0, end: 1000, total: 1000, validator: Validator(etag: "\"a\""))
    #expect(verdict(ContentState(expected: ExpectedContent()), whole) == .accept(body))
    // The server ignores the range, or has another version.
    #expect(verdict(begun(), whole) == .accept(body))
    var state = begun()
    state.begin(body)
    #expect(state.received == 0)
    #expect(state.startOvers == 1)
  }

  @Test(arguments: ["", "-5", "5, 5", "+5", "five", "5 "])
  func aMalformedLengthIsRefused(_ length: String) {
    #expect(
      verdict(begun(), head(200, ["Content-Length": length]))
        == .refuse(.malformed("Content-Length", length)))
  }

  @Test func aBodyWithoutAMarkedEndNeedsAnExpectation() {
    let open = head(200)
    #expect(
      verdict(ContentState(expected: ExpectedContent()), open) == .refuse(.lengthUnknown()))
    for expected in [ExpectedContent(byteCount: 5), ExpectedContent(sha256: Self.digest)] {
      let state = ContentState(expected: expected)
      let end = expected.byteCount
      #expect(
        verdict(state, open)
          == .accept(ResponseVerdict.Body(start: 0, end: end, total: end, validator: Validator())))
    }
    let chunked = head(200, ["Transfer-Encoding": "chunked"])
    #expect(
      verdict(ContentState(expected: ExpectedContent()), chunked)
        == .accept(ResponseVerdict.Body(start: 0, end: nil, total: nil, validator: Validator())))
  }

  @Test(arguments: [("200", "1000"), ("206", "bytes 0-199/1000"), ("416", "bytes */1000")])
  func anotherLengthThanExpectedIsRefused(_ status: String, _ text: String) throws {
    let field = status == "200" ? "Content-Length" : "Content-Range"
    let state = ContentState(expected: ExpectedContent(byteCount: 999))
    #expect(
      verdict(state, head(try #require(Int(status)), [field: text]))
        == .refuse(.wrongLength(expected: 999, found: 1000)))
  }

  @Test func anEmptyBodyIsRefusedUnlessItIsExpected() {
    let empty = head(200, ["Content-Length": "0"])
    #expect(verdict(ContentState(expected: ExpectedContent()), empty) == .refuse(.emptyBody()))
    let isExpected = ContentState(expected: ExpectedContent(byteCount: 0))
    #expect(
      verdict(isExpected, empty)
        == .accept(ResponseVerdict.Body(start: 0, end: 0, total: 0, validator: Validator())))
    // A server has no first byte of an empty file to send.
    let none = head(416, ["Content-Range": "bytes */0"])
    #expect(verdict(ContentState(expected: ExpectedContent()), none) == .refuse(.emptyBody()))
    #expect(
      verdict(isExpected, none)
        == .accept(
          ResponseVerdict.Body(start: 0, end: 0, total: 0, validator: Validator(), isEmpty: true)))
  }

  // MARK: Status 206

  @Test func thePartThatWasRequestedIsAppended() {
    let part = head(206, ["Content-Range": "bytes 100-299/1000"].merging(Self.tag) { $1 })
    let body = ResponseVerdict.Body(
      start: 100, end: 300, total: 1000, validator: Validator(etag: "\"a\""))
    #expect(verdict(begun(), part) == .accept(body))
  }

  @Test func aShorterPartIsAppendedToo() {
    let part = head(206, ["Content-Range": "bytes 100-149/1000"].merging(Self.tag) { $1 })
    #expect(
      verdict(begun(), part)
        == .accept(
          ResponseVerdict.Body(
            start: 100, end: 150, total: 1000, validator: Validator(etag: "\"a\""))))
  }

  @Test(arguments: [
    ["Content-Range": "bytes 0-199/1000"], ["Content-Range": "bytes 101-299/1000"],
    ["Content-Range": "bytes 100-300/1000"], ["Content-Range": "bytes */1000"], [:],
    ["Content-Range": "bytes 100-299/1000", "Content-Length": "199"],
    ["Content-Type": "multipart/byteranges; boundary=x"],
  ])
  func anotherPartMeansStartingOver(_ fields: [String: String]) {
    #expect(verdict(begun(), head(206, fields)) == .startOver(.wrongRange))
  }

  @Test func anotherVersionMeansStartingOver() {
    let range = ["Content-Range": "bytes 100-299/1000"]
    let other = head(206, range.merging(["ETag": "\"b\""]) { $1 })
    #expect(verdict(begun(), other) == .startOver(.changed))
    let longer = head(206, ["Content-Range": "bytes 100-299/1001", "ETag": "\"a\""])
    #expect(verdict(begun(), longer) == .startOver(.changed))
  }

  @Test func aFirstPartWithoutAValidatorIsUsedOnlyWhenItIsAll() {
    let state = ContentState(expected: ExpectedContent())
    let all = head(206, ["Content-Range": "bytes 0-149/150"])
    #expect(
      verdict(state, all)
        == .accept(ResponseVerdict.Body(start: 0, end: 150, total: 150, validator: Validator())))
    let some = head(206, ["Content-Range": "bytes 0-199/1000"])
    #expect(verdict(state, some) == .startOver(.notJoinable))
    let endless = head(206, ["Content-Range": "bytes 0-199/*", "ETag": "\"a\""])
    #expect(verdict(state, endless) == .startOver(.notJoinable))
  }

  @Test func aPartOfAWholeIsRefused() throws {
    var state = begun()
    try state.startOver(because: .wrongRange)
    #expect(state.nextRequest(rangeOf: 200).bytes == nil)
    #expect(
      verdict(state, head(206, ["Content-Range": "bytes 0-199/1000"]))
        == .refuse(.wrongRange("bytes 0-199/1000")))
  }

  // MARK: Other responses

  @Test(arguments: ["gzip", "br", "GZIP, identity"])
  func anEncodedBodyIsRefused(_ encoding: String) {
    for status in [200, 206] {
      #expect(
        verdict(begun(), head(status, ["Content-Encoding": encoding]))
          == .refuse(.encoded(encoding)))
    }
  }

  /// What servers say of content that is as it is stored: WeTransfer's, those that keep what an uploader sent, and
  /// export pages.
  @Test(arguments: ["", "identity", "None", "UTF-8", "binary", "aws-chunked", "zip", "none, utf-8"])
  func aFieldThatNamesNoCodingIsPassedOver(_ text: String) throws {
    let whole = head(200, ["Content-Encoding": text, "Content-Length": "1000"])
    let body = ResponseVerdict.Body(start: 0, end: 1000, total: 1000, validator: Validator())
    #expect(verdict(ContentState(expected: ExpectedContent()), whole) == .accept(body))
    let source = try #require(URL(string: "https://example.org/map.mbtiles"))
    let request = DownloadRequest(
      id: "1", from: source, to: try RelocatablePath(.documents, "map.mbtiles"))
    #expect(throws: Never.self) { try HandedFile.check(whole, 1000, request) }
  }

  /// ModelScope's store sends the part that was requested with the status 200.
  @Test func aPartThatIsCalledTheWholeIsNotTheWhole() throws {
    let part = head(200, ["Content-Range": "bytes 100-299/1000", "Content-Length": "200"])
    #expect(verdict(begun(), part) == .startOver(.wrongRange))
    let first = head(200, ["Content-Range": "bytes 0-199/1000", "Content-Length": "200"])
    var state = ContentState(expected: ExpectedContent())
    #expect(verdict(state, first) == .startOver(.wrongRange))
    try state.startOver(because: .wrongRange)
    #expect(verdict(state, first) == .refuse(.wrongRange("bytes 0-199/1000")))
    for range in ["bytes 0-999/1000", "bytes 0-999/*", "all"] {
      let whole = head(200, ["Content-Range": range, "Content-Length": "1000"])
      let body = ResponseVerdict.Body(start: 0, end: 1000, total: 1000, validator: Validator())
      #expect(verdict(state, whole) == .accept(body), "\(range)")
    }
    let source = try #require(URL(string: "https://example.org/map.mbtiles"))
    let request = DownloadRequest(
      id: "1", from: source, to: try RelocatablePath(.documents, "map.mbtiles"))
    #expect(throws: DownloadError.self) { try HandedFile.check(part, 200, request) }
    #expect(throws: Never.self) {
      try HandedFile.check(head(200, ["Content-Range": "bytes 100-299/1000"]), 1000, request)
    }
  }

  /// A server that knows no length may send the part that was requested.
  @Test func aPartOfUnknownLengthIsNotTheWhole() {
    let part = head(200, ["Content-Range": "bytes 0-199/*", "Content-Length": "200"])
    #expect(verdict(ContentState(expected: ExpectedContent()), part) == .startOver(.wrongRange))
  }

  /// A range has no meaning with the status 200.
  ///
  /// - SeeAlso: RFC 9110, section 14.4.
  @Test(arguments: ["bytes 0-199/1000", "bytes */1000", "bytes 0-1000/1000"])
  func theLengthOfTheWholeCountsMoreThanARange(_ range: String) throws {
    var state = ContentState(expected: ExpectedContent())
    try state.startOver(because: .wrongRange)
    let whole = head(200, ["Content-Range": range, "Content-Length": "1000"])
    let body = ResponseVerdict.Body(start: 0, end: 1000, total: 1000, validator: Validator())
    #expect(verdict(state, whole) == .accept(body))
    let part = head(200, ["Content-Range": "bytes 100-299/*", "Content-Length": "200"])
    #expect(verdict(state, part) == .refuse(.wrongRange("bytes 100-299/*")))
  }

  @Test(arguments: [204, 205, 300, 301, 304, 400, 401, 403, 404, 410, 416, 501, 505, 511, 600])
  func aStatusWithoutContentIsRefused(_ status: Int) {
    let state = ContentState(expected: ExpectedContent())
    var whole = state
    #expect(throws: Never.self) { try whole.startOver(because: .wrongRange) }
    #expect(verdict(whole, head(status, ["Content-Length": "5"])) == .refuse(.status(status)))
  }

  /// Those from 520 on are of Cloudflare, which does not reach the server, and of servers that are overloaded.
  @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 509, 520, 521, 522, 523, 524, 529, 530, 598])
  func aPassingStatusIsRetried(_ status: Int) {
    #expect(
      verdict(begun(), head(status, ["Retry-After": "7"]))
        == .retry(.status(status), after: .seconds(7)))
    #expect(verdict(begun(), head(status)) == .retry(.status(status), after: nil))
  }

  @Test func nothingAtTheOffsetMeansStartingOver() {
    #expect(
      verdict(begun(), head(416, ["Content-Range": "bytes */50"])) == .startOver(.changed))
    #expect(verdict(begun(), head(400)) == .refuse(.status(400)))
    let state = ContentState(expected: ExpectedContent())
    #expect(verdict(state, head(416)) == .startOver(.wrongRange))
    #expect(verdict(state, head(400)) == .startOver(.wrongRange))
  }

  // MARK: The end of a body

  @Test func aBodyThatIsCutIsContinued() {
    var state = begun()
    let body = ResponseVerdict.Body(
      start: 100, end: 300, total: 1000, validator: Validator(etag: "\"a\""))
    state.begin(body)
    #expect(state.end(body, at: 250, isWhole: true)?.code == .network)
    #expect(state.received == 250)
    #expect(!state.isComplete)
    #expect(state.nextRequest(rangeOf: 200).bytes == 250..<450)
  }

  @Test func theContentIsCompleteAtItsEnd() {
    var state = begun()
    let body = ResponseVerdict.Body(
      start: 100, end: 1000, total: 1000, validator: Validator(etag: "\"a\""))
    state.begin(body)
    #expect(state.end(body, at: 1000, isWhole: true) == nil)
    #expect(state.isComplete)
  }

  @Test func chunksThatEndEarlyAreNotTheContent() {
    var state = ContentState(expected: ExpectedContent())
    let body = ResponseVerdict.Body(start: 0, end: nil, total: nil, validator: Validator())
    state.begin(body)
    #expect(state.end(body, at: 0, isWhole: true)?.code == .emptyBody)
    state.begin(body)
    #expect(state.end(body, at: 40, isWhole: false) == nil)
    #expect(!state.isComplete)
  }

  @Test func aServerThatNeverSettlesIsGivenUp() throws {
    var state = begun()
    for _ in 1..<ContentState.startOverLimit { try state.startOver(because: .changed) }
    #expect(state.mode == .ranges)
    try state.startOver(because: .changed)
    #expect(state.mode == .whole)
    #expect(throws: DownloadError.self) { try state.startOver(because: .changed) }
  }
}
