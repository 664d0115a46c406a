/// A lock on a file, as listed in the kernel's table.
///
/// - SeeAlso: <https://man7.org/linux/man-pages/man5/proc_locks.5.html>
package struct KernelLock: Hashable, Sendable {
  /// The owner of a lock, which decides when it ends.
  package enum Owner: Hashable, Sendable {
    /// The process; closing any descriptor of the file releases the lock.
    case process
    /// The open file of `fcntl`; the kernel does not report which process has it open.
    case openFile
    /// The open file of `flock`, which locks the whole file.
    case flock
  }

  package var owner: Owner
  /// Whether the lock is only requested, because another lock conflicts with it.
  package var isWaiting: Bool
  /// Whether the lock excludes readers too.
  package var isExclusive: Bool
  /// The process that took the lock; `nil` where the kernel does not report it.
  package var processIdentifier: Int32?
  /// The device of the file system, composed as `st_dev` is.
  package var device: UInt64
  package var inode: UInt64
  /// The locked bytes; up to `Int64.max` for the rest of the file, however long it grows.
  package var bytes: ClosedRange<Int64>

  package init(
    owner: Owner, isWaiting: Bool = false, isExclusive: Bool, processIdentifier: Int32?,
    device: UInt64, inode: UInt64, bytes: ClosedRange<Int64>
  ) {
    self.owner = owner
    self.isWaiting = isWaiting
    self.isExclusive = isExclusive
    self.processIdentifier = processIdentifier
    self.device = device
    self.inode = inode
    self.bytes = bytes
  }
}

extension KernelLock {
  /// An error for a line that does not describe a lock.
  package struct Malformed: Error, Equatable {
    package var line: String

    package init(line: String) {
      self.line = line
    }
  }

  /// Parses the text of `/proc/locks`.
  ///
  /// Leases are left out: they notify their holder when a file is opened, and lock nothing.
  package static func parse(_ text: [UInt8]) throws(Malformed) -> [KernelLock] {
    var locks: [KernelLock] = []
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
      var words = Words(rest: text[start..<end])
      switch words.lock() {
      case .lock(let lock): locks.append(lock)
      case .none: break
      case .malformed: throw Malformed(line: String(decoding: text[start..<end], as: UTF8.self))
      }
      start = end + 1
    }
    return locks
  }

  /// Returns the device number of a major and a minor number, as the C library composes it.
  package static func device(major: UInt64, minor: UInt64) -> UInt64 {
    (major & ~0xFFF) << 32 | (major & 0xFFF) << 8 | (minor & ~0xFF) << 12 | minor & 0xFF
  }
}

/// The words of one line of the table, from left to right.
private struct Words {
  enum Reading {
    case lock(KernelLock)
    case none
    case malformed
  }

  var rest: ArraySlice<UInt8>

  private mutating func next() -> ArraySlice<UInt8> {
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    let word = rest.prefix { $0 != UInt8(ascii: " ") }
    rest = rest[word.endIndex...]
    return word
  }

  // 7: -> POSIX  ADVISORY  WRITE 17032 fe:00:1213244 120 120
  mutating func lock() -> Reading {
    let number = next()
    if number.isEmpty { return .none }
    var kind = next()
    let isWaiting = kind.elementsEqual("->".utf8)
    if isWaiting { kind = next() }
    guard let owner = KernelLock.Owner(kind) else { return kind.isEmpty ? .malformed : .none }
    _ = next()
    let mode = next()
    let isExclusive = mode.elementsEqual("WRITE".utf8)
    guard isExclusive || mode.elementsEqual("READ".utf8) else {
      // A lock that is being released.
      return mode.elementsEqual("UNLCK".utf8) ? .none : .malformed
    }
    guard let process = Int64(digits: next()), let file = FileIdentity(next()),
      let first = Int64(digits: next()), let last = Int64(lastByte: next()), first <= last
    else { return .malformed }
    return .lock(
      KernelLock(
        owner: owner, isWaiting: isWaiting, isExclusive: isExclusive,
        processIdentifier: process > 0 ? Int32(exactly: process) : nil, device: file.device,
        inode: file.inode, bytes: first...last))
  }
}

/// `fe:00:1213244`: the device in hexadecimal digits, the file in decimal ones.
private struct FileIdentity {
  var device: UInt64
  var inode: UInt64

  init?(_ word: ArraySlice<UInt8>) {
    let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3,
      let major = UInt64(String(decoding: parts[0], as: UTF8.self), radix: 16),
      let minor = UInt64(String(decoding: parts[1], as: UTF8.self), radix: 16),
      let inode = UInt64(String(decoding: parts[2], as: UTF8.self))
    else { return nil }
    device = KernelLock.device(major: major, minor: minor)
    self.inode = inode
  }
}

extension KernelLock.Owner {
  fileprivate init?(_ word: ArraySlice<UInt8>) {
    if word.elementsEqual("POSIX".utf8) {
      self = .process
    } else if word.elementsEqual("FLOCK".utf8) {
      self = .flock
    } else if word.elementsEqual("OFDLCK".utf8) {
      self = .openFile
    } else {
      return nil
    }
  }
}

extension Int64 {
  fileprivate init?(digits word: ArraySlice<UInt8>) {
    self.init(String(decoding: word, as: UTF8.self))
  }

  fileprivate init?(lastByte word: ArraySlice<UInt8>) {
    if word.elementsEqual("EOF".utf8) {
      self = .max
    } else {
      self.init(digits: word)
    }
  }
}
