import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reading a file for a search by identity, in a process whose other code uses files too.
@Suite struct IdentityReaderTests {
  let directory: TemporaryDirectory
  let file: FilePath

  private static let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

  init() throws {
    directory = try TemporaryDirectory()
    file = try FilePath(of: directory.file("book.m4b"))
    try Self.content.write(to: file.url)
  }

  /// A descriptor of other code, such as SQLite's, with a POSIX lock on the file.
  private final class OtherUser: Sendable {
    private let descriptor: Int32

    init(_ path: String, flags: Int32 = O_RDWR) {
      descriptor = unsafe open(path, flags | O_CLOEXEC)
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      if flags == O_RDWR { _ = unsafe fcntl(descriptor, F_SETLK, &lock) }
    }

    deinit { close(descriptor) }
  }

  private func refusal(
    of file: FilePath, until isStopped: () -> Bool = { false }
  ) -> LockSafeFile.Refusal? {
    guard case .notExamined(let refusal) = IdentityReader.digest(of: file, until: isStopped) else {
      return nil
    }
    return refusal
  }

  private func digest(of file: FilePath) -> FileDigest? {
    guard case .digest(let digest) = IdentityReader.digest(of: file) else { return nil }
    return digest
  }

  private func isOpenHere() throws -> Bool? {
    SystemCalls.isOpenHere(try SystemCalls.status(of: file.text))
  }

  #if os(Linux)
    /// Whether the kernel's table shows a lock of this process on the file.
    private func isLocked() throws -> Bool {
      let inode = try SystemCalls.status(of: file.text).inode
      let mark = Array(" POSIX  ADVISORY  WRITE \(getpid()) ".utf8)
      return try KernelText("/proc/locks").bytes.split(separator: UInt8(ascii: "\n")).contains {
        let line = String(decoding: $0, as: UTF8.self)
        return line.contains(String(decoding: mark, as: UTF8.self)) && line.contains(":\(inode) ")
      }
    }
  #endif

  @Test func aFileOfItsOwnIsReadAndClosed() throws {
    #expect(digest(of: file) == (try FileDigest(of: file.url)))
    #expect(try isOpenHere() == false)
  }

  @Test func anEmptyFileHasADigest() throws {
    try Data().write(to: file.url)
    #expect(digest(of: file)?.byteCount == 0)
  }

  @Test func aFileThatThisProcessHasOpenIsNotOpenedAgain() throws {
    let other = OtherUser(file.text)
    defer { withExtendedLifetime(other) {} }
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) { #expect(refusal(of: file) == .openHere) }
    #expect(!trace.callsSeen.contains(.open))
    #if os(Linux)
      #expect(try isLocked())
    #endif
  }

  @Test func aFileThatIsOpenUnderAnotherNameIsNotOpened() throws {
    try FileManager.default.linkItem(at: file.url, to: directory.file("second"))
    let other = OtherUser(directory.file("second").path)
    withExtendedLifetime(other) { #expect(refusal(of: file) == .openHere) }
  }

  @Test func aDatabaseIsNotReadBeyondItsHeader() throws {
    try (Data("SQLite format 3\0".utf8) + Self.content).write(to: file.url)
    #expect(refusal(of: file) == .database)
    #expect(try isOpenHere() == false)
  }

  @Test(arguments: ["-wal", "-journal", "-shm"])
  func aFileNextToADatabaseIsNotOpenedNorTheDatabase(_ ending: String) throws {
    let companion = FilePath(file.text + ending)
    try Data("log".utf8).write(to: companion.url)
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) {
      // An encrypted database shows itself only by the files next to it.
      #expect(refusal(of: file) == .database)
      let kind = DatabaseCompanion(named: companion)?.kind
      #expect(kind != nil)
      #expect(refusal(of: companion) == kind.map(LockSafeFile.Refusal.companion))
    }
    #expect(!trace.callsSeen.contains(.open))
  }

  @Test func onlyAPlainFileIsOpened() throws {
    try SystemCalls.makeLink(directory.file("link").path, to: "book.m4b")
    try SystemCalls.makeDirectory(directory.file("folder").path)
    #expect(unsafe mkfifo(directory.file("pipe").path, 0o600) == 0)
    for name in ["link", "folder", "pipe"] {
      #expect(refusal(of: try FilePath(of: directory.file(name))) == .notRegular, "\(name)")
    }
    guard
      case .unreadable(let error) = IdentityReader.digest(
        of: try FilePath(of: directory.file("none")))
    else {
      Issue.record("a missing file is unreadable")
      return
    }
    #expect(error.code == .notFound)
  }

  /// The order in which a database's own locks were lost: our descriptor, SQLite's, our close.
  @Test func aFileThatOtherCodeOpensMeanwhileStaysLocked() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) { #expect(digest(of: file) != nil) }
    let read = try #require(trace.callsSeen.lastIndex(of: .read)) + 1
    let path = file.text
    let box = Box()
    let fault = SystemFault(atCall: read, .overtake { box.user = OtherUser(path) })
    SystemCalls.$fault.withValue(fault) { #expect(digest(of: file) != nil) }
    #expect(fault.hasStruck)
    #expect(!fault.callsSeen.contains(.close))
    #if os(Linux)
      #expect(try isLocked())
    #endif
    box.user = nil
    // The next read of any file tries again.
    try Data("x".utf8).write(to: directory.file("other"))
    #expect(digest(of: try FilePath(of: directory.file("other"))) != nil)
    #expect(try isOpenHere() == false)
  }

  /// Sendable because a test writes and reads it on one thread.
  private final class Box: @unchecked Sendable {
    var user: OtherUser?
  }

  @Test func aProcessWithoutAListOfItsFilesReadsNone() throws {
    let fault = SystemFault(atCall: 1, .refuse([.listDescriptors: .notFound]))
    SystemCalls.$fault.withValue(fault) { #expect(refusal(of: file) == .unknownWhetherOpen) }
    #expect(!fault.callsSeen.contains(.open))
  }

  @Test func aDescriptorStaysOpenWhileItIsUnknownWhetherItIsAlone() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) { #expect(digest(of: file) != nil) }
    let last = try #require(trace.callsSeen.lastIndex(of: .listDescriptors)) + 1
    let fault = SystemFault(atCall: last, .fail(.notFound))
    SystemCalls.$fault.withValue(fault) { #expect(digest(of: file) != nil) }
    #expect(fault.callsSeen.last == .listDescriptors)
    #expect(!fault.callsSeen.contains(.close))
    #expect(digest(of: file) != nil)
    #expect(try isOpenHere() == false)
  }

  @Test func aFileThatGrowsWhileItIsReadHasNoDigest() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) { #expect(digest(of: file) != nil) }
    let read = try #require(trace.callsSeen.lastIndex(of: .read)) + 1
    let url = file.url
    let fault = SystemFault(
      atCall: read,
      .overtake {
        let handle = try? FileHandle(forWritingTo: url)
        _ = try? handle?.seekToEnd()
        try? handle?.write(contentsOf: Data("more".utf8))
        try? handle?.close()
      })
    SystemCalls.$fault.withValue(fault) { #expect(refusal(of: file) == .changed) }
  }

  @Test func aFileThatIsReplacedBeforeItIsOpenedIsNotRead() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) { #expect(digest(of: file) != nil) }
    let opened = try #require(trace.callsSeen.firstIndex(of: .open)) + 1
    let (path, other) = (file.text, directory.file("other").path)
    try Data("other".utf8).write(to: directory.file("other"))
    let fault = SystemFault(atCall: opened, .overtake { _ = unsafe rename(other, path) })
    SystemCalls.$fault.withValue(fault) { #expect(refusal(of: file) == .changed) }
  }

  #if os(Linux)
    @Test func theLocksOfAFileThatTookTheNameAreKept() throws {
      let trace = SystemFault(atCall: .max, .fail(.inputOutput))
      SystemCalls.$fault.withValue(trace) { #expect(digest(of: file) != nil) }
      let opened = try #require(trace.callsSeen.firstIndex(of: .open)) + 1
      let (path, other) = (file.text, directory.file("other").path)
      try Data("other".utf8).write(to: directory.file("other"))
      let open = try FileHandle(forUpdating: directory.file("other"))
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      #expect(unsafe fcntl(open.fileDescriptor, F_SETLK, &lock) == 0)
      let fault = SystemFault(atCall: opened, .overtake { _ = unsafe rename(other, path) })
      SystemCalls.$fault.withValue(fault) { #expect(refusal(of: file) == .changed) }
      let locks = try KernelLock.locks(of: getpid()) { () throws(FileError) in
        [try LockableFile(file, ranges: [0...Int64.max])].compactMap(\.self)
      }
      #expect(locks.joined().count == 1)
      try open.close()
    }
  #endif

  @Test func aReadingCanBeStopped() throws {
    var asked = 0
    let refused = refusal(of: file) {
      asked += 1
      return asked > 2
    }
    #expect(refused == .stopped)
    #expect(try isOpenHere() == false)
  }

  @Test func anyFailureIsAnAnswerAndKeepsNoDescriptor() throws {
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    SystemCalls.$fault.withValue(trace) { #expect(digest(of: file) != nil) }
    var unknown = 0
    for ordinal in 1...trace.callsSeen.count {
      let fault = SystemFault(atCall: ordinal, .fail(.inputOutput))
      let answer = SystemCalls.$fault.withValue(fault) { IdentityReader.digest(of: file) }
      #expect(fault.hasStruck)
      switch answer {
      case .digest:
        let name = trace.callsSeen[ordinal - 1]
        #expect([.close, .listDescriptors].contains(name), "\(name), call \(ordinal)")
      case .notExamined(let refusal):
        #expect(refusal == .unknownWhetherOpen)
        unknown += 1
      case .unreadable(let error):
        #expect(error.errno == EIO)
      }
      #expect(digest(of: file) != nil, "the next reading works after call \(ordinal)")
      #expect(try isOpenHere() == false)
    }
    #expect(unknown == 1)
  }
}
