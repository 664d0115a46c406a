/// The frames of a write-ahead log file, checked by their checksums, as SQLite would read them.
///
/// - SeeAlso: <https://www.sqlite.org/walformat.html>
struct WriteAheadLog: Equatable, Sendable {
  /// Why a log is not complete.
  enum Break: Equatable, Sendable {
    /// The header's checksum or numbers are wrong: SQLite ignores the whole log.
    case header
    /// A frame of this log, counted from 1, does not continue the chain of checksums, and a commit
    /// follows.
    case frame(Int)
    /// The file ends within the last frame of a transaction that was committed.
    case end(afterFrame: Int)
  }

  static let headerByteCount = 32
  static let frameHeaderByteCount = 24

  /// The size of a page, in bytes; `nil` when the header is not valid.
  let pageByteCount: Int?

  /// The number of frames up to the last commit.
  private(set) var committedFrameCount = 0
  /// The size of the database after the last commit, in pages; 0 before the first one.
  private(set) var committedPageCount: UInt32 = 0
  /// The pages of commits beyond a number of pages, which replace those that a file does not have.
  private(set) var committedPages: Set<UInt32> = []
  private var pendingPages: Set<UInt32> = []
  private let firstNotedPage: UInt32

  /// The number of frames whose checksums form a chain.
  private(set) var validFrameCount = 0
  private(set) var firstBreak: Break?

  /// The first frame that does not continue the chain: a loss only if a commit follows.
  private var endOfChain: Break?

  /// Whether no more frames follow.
  private(set) var hasEnded = false

  /// The first page of the database as the last commit has it; `nil` when the log does not have the page.
  private(set) var firstPage: ArraySlice<UInt8>?
  private var pendingFirstPage: ArraySlice<UInt8>?

  private let isBigEndian: Bool
  /// The numbers of this life of the log, which each of its frames has.
  let salts: ArraySlice<UInt8>
  private var sums: (UInt32, UInt32)

  /// Reads the header, the first 32 bytes of a file that is not empty.
  ///
  /// - Parameters:
  ///   - header: The bytes.
  ///   - pageCount: The number of pages in the database file; the log's later ones are noted.
  init(header: [UInt8], pageCount: UInt32 = .max) {
    firstNotedPage = pageCount == .max ? .max : pageCount + 1
    let magic = header.count >= 4 ? Self.number(header, at: 0) : 0
    isBigEndian = magic & 1 == 1
    salts = header.count >= 24 ? header[16..<24] : []
    let pageSize = header.count >= 12 ? Self.number(header, at: 8) : 0
    guard header.count == Self.headerByteCount, magic & ~1 == 0x377F_0682,
      Self.number(header, at: 4) == 3_007_000, pageSize.nonzeroBitCount == 1,
      (512...65536).contains(pageSize)
    else {
      (pageByteCount, sums) = (nil, (0, 0))
      firstBreak = .header
      return
    }
    let sums = Self.sum(header[..<24], after: (0, 0), isBigEndian)
    guard sums == (Self.number(header, at: 24), Self.number(header, at: 28)) else {
      (pageByteCount, self.sums) = (nil, (0, 0))
      firstBreak = .header
      return
    }
    (pageByteCount, self.sums) = (Int(pageSize), sums)
  }

  /// Reads the next frame, with the page in it.
  mutating func read(frame: [UInt8]) {
    guard !hasEnded, let pageByteCount else { return }
    let header = frame.prefix(Self.frameHeaderByteCount)
    // A hole in a sparse file is no frame, whatever the salts are.
    guard header.count >= 16, header.contains(where: { $0 != 0 }) else {
      hasEnded = true
      return
    }
    // Frames of an earlier use of the file follow those of this one; one between them was damaged.
    guard header[8..<16].elementsEqual(salts) else {
      endOfChain = endOfChain ?? .frame(validFrameCount + 1)
      return
    }
    // "the size of the database file in pages after the commit", and zero for other frames
    let isCommit = Self.number(frame, at: 4) > 0
    guard frame.count == Self.frameHeaderByteCount + pageByteCount else {
      if isCommit { firstBreak = firstBreak ?? endOfChain ?? .end(afterFrame: validFrameCount) }
      hasEnded = true
      return
    }
    if endOfChain == nil { follow(frame, isCommit: isCommit) }
    // Frames of a transaction that was rolled back stay, with the salts of those that overwrite
    // their beginning; nothing is lost unless one of them commits.
    if isCommit { firstBreak = firstBreak ?? endOfChain }
  }

  /// Continues the chain of checksums with a whole frame, or ends it.
  private mutating func follow(_ frame: [UInt8], isCommit: Bool) {
    let next = Self.sum(
      frame[Self.frameHeaderByteCount...], after: Self.sum(frame[..<8], after: sums, isBigEndian),
      isBigEndian)
    // No page has the number 0.
    guard next == (Self.number(frame, at: 16), Self.number(frame, at: 20)),
      Self.number(frame, at: 0) > 0
    else {
      endOfChain = .frame(validFrameCount + 1)
      return
    }
    sums = next
    validFrameCount += 1
    let page = Self.number(frame, at: 0)
    if page >= firstNotedPage { pendingPages.insert(page) }
    if page == 1 { pendingFirstPage = frame[Self.frameHeaderByteCount...] }
    guard isCommit else { return }
    firstPage = pendingFirstPage
    committedFrameCount = validFrameCount
    committedPageCount = Self.number(frame, at: 4)
    committedPages.formUnion(pendingPages)
    pendingPages = []
  }

  static func == (left: WriteAheadLog, right: WriteAheadLog) -> Bool {
    left.pageByteCount == right.pageByteCount && left.salts == right.salts
      && left.sums == right.sums && left.validFrameCount == right.validFrameCount
      && left.firstBreak == right.firstBreak
  }

  /// Returns the number that counts the changes of a database, of its first page.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#file_change_counter>
  static func changeCounter(ofFirstPage page: ArraySlice<UInt8>) -> UInt32 {
    page.dropFirst(24).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns the number that counts the changes of a database's schema, of its first page.
  ///
  /// - SeeAlso: <https://www.sqlite.org/fileformat2.html#schema_cookie>
  static func schemaCookie(ofFirstPage page: ArraySlice<UInt8>) -> UInt32 {
    page.dropFirst(40).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Continues a checksum over bytes, whose number is a multiple of 8.
  static func sum(
    _ bytes: ArraySlice<UInt8>, after sums: (UInt32, UInt32), _ isBigEndian: Bool
  ) -> (UInt32, UInt32) {
    var (first, second) = sums
    let span = bytes.span
    func word(_ place: Int) -> UInt32 {
      let (a, b) = (UInt32(span[place]), UInt32(span[place + 1]))
      let (c, d) = (UInt32(span[place + 2]), UInt32(span[place + 3]))
      return isBigEndian ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a
    }
    for place in stride(from: 0, to: span.count - 7, by: 8) {
      first = first &+ word(place) &+ second
      second = second &+ word(place + 4) &+ first
    }
    return (first, second)
  }
}
