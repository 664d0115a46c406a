import Dispatch
import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Guarded readers in several threads.
@Suite struct IdentityReaderConcurrencyTests {
  @Test func readersOfOneFileDoNotTakeEachOtherForOtherCode() throws {
    let directory = try TemporaryDirectory()
    let file = try FilePath(of: directory.file("book"))
    try Data(repeating: 3, count: 700_000).write(to: file.url)
    let expected = try FileDigest(of: file.url)
    let found = OwnList()
    DispatchQueue.concurrentPerform(iterations: 32) { _ in
      if case .digest(let digest) = IdentityReader.digest(of: file) { found.append(digest) }
    }
    #expect(found.all == Array(repeating: expected, count: 32))
    #expect(SystemCalls.isOpenHere(try SystemCalls.status(of: file.text)) == false)
  }

  /// Sendable because each access takes the lock.
  private final class OwnList: @unchecked Sendable {
    private let lock = NSLock()
    private var digests: [FileDigest] = []

    func append(_ digest: FileDigest) { lock.withLock { digests.append(digest) } }
    var all: [FileDigest] { lock.withLock { digests } }
  }
}
