import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct FileDigestTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The examples of FIPS 180-4, and the empty message.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func knownMessagesHaveTheirDigests(_ message: String, _ digest: String) throws {
    var hasher = SHA256()
    hasher.update(message.utf8)
    #expect(hasher.finalize().description == digest)
    try Data(message.utf8).write(to: directory.file("x"))
    let found = try FileDigest(of: directory.file("x"))
    #expect(found.sha256 == SHA256Digest(digest))
    #expect(found.byteCount == message.utf8.count)
  }

  @Test func theChunkingOfTheContentDoesNotMatter() throws {
    var random = SeededRandom()
    let content = (0..<700_001).map { _ in UInt8.random(in: 0...255, using: &random) }
    var whole = SHA256()
    whole.update(content)
    let expected = whole.finalize()
    var pieces = SHA256()
    var rest = content[...]
    while !rest.isEmpty {
      let count = Int.random(in: 0...100_000, using: &random)
      pieces.update(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(pieces.finalize() == expected)
    try Data(content).write(to: directory.file("x"))
    let found = try FileDigest(of: directory.file("x"))
    #expect(found == FileDigest(byteCount: 700_001, sha256: expected))
  }

  @Test func aDigestIsStoredAsHexadecimalText() throws {
    let text = String(repeating: "0aF9", count: 16)
    let digest = try #require(SHA256Digest(text))
    #expect(digest.description == text.lowercased())
    let json = try JSONEncoder().encode([digest])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text.lowercased())\"]")
    #expect(try JSONDecoder().decode([SHA256Digest].self, from: json) == [digest])
    for wrong in ["", "00", text + "00", String(text.dropLast()) + "g"] {
      #expect(SHA256Digest(wrong) == nil)
      let json = try JSONEncoder().encode([wrong])
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([SHA256Digest].self, from: json)
      }
    }
    #expect(SHA256Digest(bytes: [1, 2, 3]) == nil)
  }

  @Test func aSpecialFileIsRefused() throws {
    let error = #expect(throws: FileError.self) { try FileDigest(of: directory.url) }
    #expect(error?.code == .notRegularFile)
    let missing = #expect(throws: FileError.self) { try FileDigest(of: directory.file("no")) }
    #expect(missing?.code == .notFound)
    #expect(missing?.errno == 2)
    #expect(missing?.message == "'no' was not read: the file or its folder does not exist.")
  }

  @Test func aPartialReadIsAnError() throws {
    try Data(repeating: 7, count: 600_000).write(to: directory.file("x"))
    let fault = SystemFault(atCall: 4, .fail(.inputOutput))
    let error = #expect(throws: FileError.self) {
      try SystemCalls.$fault.withValue(fault) { _ = try FileDigest(of: directory.file("x")) }
    }
    #expect(fault.callsSeen.last == .read || fault.callsSeen.dropLast().last == .read)
    #expect(error?.code == .inputOutput)
  }
}
