#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// An open folder with one owner, whose entries are read one after the other.
///
/// Sendable because it has one owner, and reading requires exclusive access to it.
@safe
package struct OpenDirectory: ~Copyable, @unchecked Sendable {
  #if canImport(Darwin)
    private typealias Stream = UnsafeMutablePointer<DIR>
  #else
    private typealias Stream = OpaquePointer
  #endif

  private let stream: Stream

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: The folder's path.
  ///   - followsLink: Whether a symbolic link at the path is followed; without it, a link is
  ///     refused with `notDirectory` or `tooManyLinks`.
  /// - Throws: `Errno`; `notDirectory` when the path leads to a file.
  package init(_ path: String, followsLink: Bool = true) throws(Errno) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
    let descriptor = try unsafe SystemCalls.call(.open, path) { path in
      unsafe Int(open(path, flags))
    }
    let opened: Stream? = unsafe fdopendir(Int32(descriptor))
    guard let stream = unsafe opened else {
      let code = Errno(errno)
      close(Int32(descriptor))
      throw code
    }
    unsafe self.stream = stream
  }

  deinit {
    // A reader loses nothing when closing fails.
    _ = SystemCalls.fault?.strike(.close)
    unsafe closedir(stream)
  }

  /// Returns the next entry, in the volume's order, without `.` and `..`; `nil` at the end.
  ///
  /// Whether an entry is returned that was created or removed since the folder was opened is
  /// unspecified.
  package mutating func next() throws(Errno) -> DirectoryEntry? {
    while true {
      var entry: DirectoryEntry?
      let found = try SystemCalls.call(.readdir) {
        // The end and an error differ only in `errno`.
        errno = 0
        guard let record = unsafe readdir(stream) else { return errno == 0 ? 0 : -1 }
        entry = unsafe DirectoryEntry(record)
        return 1
      }
      guard found == 1 else { return nil }
      if let entry, entry.name != ".", entry.name != ".." { return entry }
    }
  }
}

/// A name in a folder, and what the volume says of its file.
package struct DirectoryEntry: Hashable, Sendable {
  /// The name; `nil` when its bytes are not valid UTF-8.
  package let name: String?

  private let illegalBytes: [UInt8]

  /// The kind of the file itself; `nil` when the volume does not say, so that its status must be
  /// read.
  ///
  /// It is a hint: by the time that it is used, another file may have the name.
  package let kind: FileStatus.Kind?

  package let inode: UInt64

  /// The bytes of the name.
  package var nameBytes: [UInt8] { name.map { Array($0.utf8) } ?? illegalBytes }

  fileprivate init(_ record: UnsafeMutablePointer<dirent>) {
    // A record is only as long as its name, so the whole array of the C type must not be copied.
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = unsafe UnsafeRawPointer(record).advanced(by: offset)
      .assumingMemoryBound(to: CChar.self)
    name = unsafe String(validatingCString: start)
    illegalBytes =
      name == nil
      ? unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start))) : []
    inode = unsafe UInt64(record.pointee.d_ino)
    kind =
      switch unsafe Int(record.pointee.d_type) {
      case Int(DT_REG): .regular
      case Int(DT_DIR): .directory
      case Int(DT_LNK): .symbolicLink
      case Int(DT_UNKNOWN): nil
      default: .other
      }
  }
}
