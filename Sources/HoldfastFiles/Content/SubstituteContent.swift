/// What lies under the name of a file in place of its content, because a tool has fetched or stored something else.
package enum SubstituteContent: Sendable, CaseIterable {
  /// The lines by which Git LFS finds a file that was not fetched with the others.
  case pointer
  /// A page in HTML, which a server sends in place of a file that it does not have.
  case page
  /// The file, compressed by gzip.
  case gzip

  /// The number of bytes that show it.
  package static let byteCount = 512

  /// Recognizes it by the first bytes; the result is `nil` for any other content.
  ///
  /// - SeeAlso: <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>, "The Pointer";
  ///   RFC 1952, section 2.3.1.
  package init?(_ start: some Collection<UInt8>) {
    if start.starts(with: "version https://git-lfs.github.com/spec/".utf8) {
      self = .pointer
    } else if start.starts(with: [0x1F, 0x8B, 8]) {
      self = .gzip
    } else {
      let text = String(decoding: start.prefix(Self.byteCount), as: UTF8.self)
        .drop { $0 == "\u{FEFF}" || $0.isWhitespace }.lowercased()
      guard text.hasPrefix("<!doctype html") || text.hasPrefix("<html") else { return nil }
      self = .page
    }
  }

  /// Recognizes it in a file; the result is `nil` for any other content, and where it cannot be read.
  package init?(at path: FilePath) {
    guard let start = try? LockSafeFile.firstBytes(Self.byteCount, of: path) else { return nil }
    self.init(start)
  }

  /// What it is, behind "it is".
  package var sentence: String {
    switch self {
    case .pointer: "a pointer of Git LFS in place of the file"
    case .page: "a page in HTML, as servers send it in place of a file"
    case .gzip: "compressed by gzip"
    }
  }

  /// What to do about it.
  package var advice: String {
    switch self {
    case .pointer: "Fetch the file itself: git lfs pull"
    case .page: "Look at what the page says, and fetch the file again."
    case .gzip: "Decompress it first, as gunzip does."
    }
  }
}
