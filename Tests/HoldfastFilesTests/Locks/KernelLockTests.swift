import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct KernelLockTests {
  private static let device: UInt64 = 0xFE00

  private static func parse(_ text: String) throws -> [KernelLock] {
    try KernelLock.parse(Array(text.utf8))
  }

  @Test func everyKindOfLockIsRead() throws {
    let locks = try Self.parse(
      """
      1: FLOCK  ADVISORY  WRITE 16425 fe:00:16222409 0 EOF
      2: POSIX  ADVISORY  READ  17032 fe:00:1213242 1073741826 1073742335
      3: OFDLCK ADVISORY  WRITE -1 00:1b:7 120 120

      """)
    #expect(
      locks == [
        KernelLock(
          owner: .flock, isExclusive: true, processIdentifier: 16425, device: Self.device,
          inode: 16_222_409, bytes: 0...Int64.max),
        KernelLock(
          owner: .process, isExclusive: false, processIdentifier: 17032, device: Self.device,
          inode: 1_213_242, bytes: 1_073_741_826...1_073_742_335),
        KernelLock(
          owner: .openFile, isExclusive: true, processIdentifier: nil, device: 0x1B, inode: 7,
          bytes: 120...120),
      ])
  }

  /// The kernel indents processes that wait for a waiter.
  @Test(arguments: ["1: -> POSIX", "1:  -> POSIX", "1:      -> POSIX"])
  func waitersAreDistinguishedFromHolders(beginning: String) throws {
    let locks = try Self.parse("\(beginning)  ADVISORY  WRITE 7 fe:00:9 0 0")
    #expect(locks.map(\.isWaiting) == [true])
    #expect(try Self.parse("1: POSIX  ADVISORY  WRITE 7 fe:00:9 0 0").map(\.isWaiting) == [false])
  }

  @Test(arguments: [
    "", "\n\n", "4: LEASE  ACTIVE    READ  7 fe:00:9 0 EOF",
    "4: DELEG  BREAKING  WRITE 7 fe:00:9 0 EOF",
    "4: UNKNOWN UNKNOWN  WRITE 7 fe:00:9 0 EOF", "4: POSIX  ADVISORY  UNLCK 7 fe:00:9 0 EOF",
  ])
  func entriesThatAreNotLocksAreSkipped(text: String) throws {
    #expect(try Self.parse(text) == [])
  }

  @Test(arguments: [
    "4: POSIX", "4:", "4: POSIX  ADVISORY  WRITE 7 fe:00:9 0",
    "4: POSIX  ADVISORY  WRITE seven fe:00:9 0 EOF", "4: POSIX  ADVISORY  WRITE 7 <none>:0 0 EOF",
    "4: POSIX  ADVISORY  WRITE 7 fe:00 0 EOF", "4: POSIX  ADVISORY  WRITE 7 fg:00:9 0 EOF",
    "4: POSIX  ADVISORY  WRITE 7 fe:00:9 12 11", "4: POSIX  ADVISORY  MAYBE 7 fe:00:9 0 EOF",
    "4: FLOCK  ADVISORY  WRITE 7 fe:00:9 EOF 0",
  ])
  func anUnreadableLineIsReported(text: String) {
    #expect(throws: KernelLock.Malformed(line: text)) {
      _ = try Self.parse("1: FLOCK  ADVISORY  WRITE 7 fe:00:9 0 EOF\n\(text)")
    }
  }

  @Test func anyBytesAreReadOrRefused() {
    var random = SeededRandom(seed: 4)
    let words = [
      "1:", "->", "POSIX", "READ", "fe:00:9", "0", "EOF", "-1", "\n", "\u{FF}", ":", "  ",
    ]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: " ")
      do {
        _ = try Self.parse(text)
      } catch {
        #expect(error is KernelLock.Malformed)
      }
    }
  }

  @Test(
    arguments: [(0xFE, 0), (0, 0x1B), (8, 1), (259, 300), (0x1234, 0x45678)] as [(UInt64, UInt64)])
  func deviceNumbersAreComposedAsByTheSystem(major: UInt64, minor: UInt64) {
    let device = KernelLock.device(major: major, minor: minor)
    #expect((device >> 8) & 0xFFF | (device >> 32) & ~0xFFF == major)
    #expect(device & 0xFF | (device >> 12) & 0xFFFF_FF00 == minor)
  }

  // MARK: - Which file

  private static func lock(device: UInt64, inode: UInt64, process: Int32? = 7) -> KernelLock {
    KernelLock(
      owner: .process, isExclusive: true, processIdentifier: process, device: device, inode: inode,
      bytes: 0...0)
  }

  @Test func deviceAndInodeIdentifyTheFile() throws {
    let file = try SystemCalls.status(of: NSTemporaryDirectory())
    let matching = LockMatching(
      mountedDevices: { [file.device] },
      hasOpen: { _, _ in
        Issue.record("asked"); return nil
      })
    #expect(matching.isLock(Self.lock(device: file.device, inode: file.inode), on: file))
    #expect(!matching.isLock(Self.lock(device: file.device, inode: file.inode + 1), on: file))
    // Two file systems can use the same inode numbers.
    #expect(!matching.isLock(Self.lock(device: file.device + 1, inode: file.inode), on: file))
  }

  /// As on btrfs, where the table names the volume and `stat` the subvolume.
  @Test(arguments: [(true, true), (false, false), (nil, true)] as [(Bool?, Bool)])
  func openFilesIdentifyTheFileWhenDevicesDiffer(isOpen: Bool?, isLock: Bool) throws {
    let file = try SystemCalls.status(of: NSTemporaryDirectory())
    let matching = LockMatching(
      mountedDevices: { [file.device + 1] },
      hasOpen: { process, asked in
        #expect(process == 7 && asked == file)
        return isOpen
      })
    let lock = Self.lock(device: file.device + 1, inode: file.inode)
    #expect(matching.isLock(lock, on: file) == isLock)
    #expect(!matching.isLock(Self.lock(device: file.device + 1, inode: 0), on: file))
    let nobodys = Self.lock(device: file.device + 1, inode: file.inode, process: nil)
    #expect(matching.isLock(nobodys, on: file))
  }

  /// It is looked up for each of a database's locks, often.
  @Test func aDeviceIsLookedUpOnce() throws {
    let file = try SystemCalls.status(of: NSTemporaryDirectory())
    var questions: [String] = []
    let matching = LockMatching(
      mountedDevices: {
        questions.append("mounts")
        return []
      },
      hasOpen: { process, _ in
        questions.append("process \(process)")
        return process == 7
      })
    for process: Int32 in [8, 7, 7, 8] {
      let lock = Self.lock(device: file.device + 1, inode: file.inode, process: process)
      #expect(matching.isLock(lock, on: file) == (process == 7 || questions.count == 3))
    }
    #expect(questions == ["mounts", "process 8", "process 7"])
  }

  #if os(Linux)
    @Test func theKernelListsOurLockOnAFile() throws {
      let directory = try TemporaryDirectory()
      let url = directory.file(".lock")
      let lock = try FileLock(at: url)
      let file = try #require(try LockableFile(FilePath(of: url), ranges: []))
      let locks = try KernelLock.locks { [file] }
      #expect(locks.map(\.count) == [1])
      let ours = try #require(locks.first?.first)
      #expect(ours.owner == .flock && ours.isExclusive && !ours.isWaiting)
      #expect(ours.processIdentifier == ProcessInfo.processInfo.processIdentifier)
      lock.release()
    }

    @Test func openFilesAreFoundByTheirIdentity() throws {
      let directory = try TemporaryDirectory()
      try Data("a".utf8).write(to: directory.file("a"))
      let status = try SystemCalls.status(of: directory.file("a").path)
      let process = ProcessInfo.processInfo.processIdentifier
      #expect(ProcessTable.hasOpen(process, status) == false)
      let file = try SystemCalls.openFile(directory.file("a").path, for: .read)
      #expect(ProcessTable.hasOpen(process, status) == true)
      try file.close()
      #expect(ProcessTable.hasOpen(process, status) == false)
    }

    @Test func processesHaveNames() throws {
      #expect(ProcessTable.name(of: 1)?.isEmpty == false)
      #expect(ProcessTable.name(of: 0) == nil)
    }

    @Test func theDeviceOfTheTemporaryFolderIsMounted() throws {
      let status = try SystemCalls.status(of: NSTemporaryDirectory())
      #expect(ProcessTable.mountedDevices.contains(status.device))
    }

    /// How locks are found where there is no table, in a process that holds none itself.
    @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
    func aProbeFindsTheLocksOfAnotherProcess() throws {
      let directory = try TemporaryDirectory()
      let path = directory.file("t.db").path
      let other = try OtherSQLite()
      try other.run("BEGIN", on: path)
      try other.run("CREATE TABLE t (a)", on: path)
      let file = try SystemCalls.openFile(path, for: .read)
      let whole = try SystemCalls.foreignLocks(on: file, in: 0...Int64.max)
      #expect(whole.map(\.bytes) == [1_073_741_825...1_073_741_825, 1_073_741_826...1_073_742_335])
      #expect(whole.map(\.isExclusive) == [true, false])
      #expect(whole.allSatisfy { $0.processIdentifier == other.processIdentifier })
      let pending = 1_073_741_824...Int64(1_073_741_824)
      #expect(try SystemCalls.foreignLocks(on: file, in: pending) == [])
      #expect(SystemCalls.isOpenHere(try SystemCalls.status(of: path)) == true)
      try file.close()
      #expect(SystemCalls.isOpenHere(try SystemCalls.status(of: path)) == false)
    }
  #endif
}
