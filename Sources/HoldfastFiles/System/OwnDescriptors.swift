#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension SystemCalls {
  /// Returns whether this process has a file open, through any library; `nil` when the system does
  /// not say.
  package static func isOpenHere(_ file: FileStatus) -> Bool? {
    descriptors(of: file).map { !$0.isEmpty }
  }

  /// Returns this process's descriptors of a file, opened through any library; `nil` when the
  /// system does not list them.
  ///
  /// A fault counts this as one call, because their number depends on everything else in the
  /// process.
  static func descriptors(of file: FileStatus) -> Set<Int32>? {
    do {
      _ = try call(.listDescriptors) { 0 }
      return try $fault.withValue(nil) {
        Set(try candidates().filter { try isDescriptor($0, of: file) })
      }
    } catch _ {
      // Without the list, nothing is known.
      return nil
    }
  }

  /// Returns the files that this process has open, through any library; `nil` when the system does
  /// not list them.
  ///
  /// A fault counts this as one call, too.
  package static func filesOpenHere() -> Set<FileStatus.Identity>? {
    do {
      _ = try call(.listDescriptors) { 0 }
      return try $fault.withValue(nil) {
        Set(try candidates().compactMap { try openStatus(of: $0)?.identity })
      }
    } catch _ {
      // Without the list, nothing is known.
      return nil
    }
  }

  /// Runs an examination of other processes or of what they have left, whose calls depend on everything
  /// else in the system.
  ///
  /// A fault counts all of them as one call.
  ///
  /// - Throws: `Errno` when a fault is to occur; whatever `body` throws.
  package static func examiningProcesses<Value>(_ body: () throws -> Value) throws -> Value {
    _ = try call(.listDescriptors) { 0 }
    return try $fault.withValue(nil, operation: body)
  }

  private static func isDescriptor(
    _ descriptor: Int32, of file: FileStatus
  ) throws(Errno) -> Bool {
    try openStatus(of: descriptor)?.isSameFile(as: file) ?? false
  }

  /// Returns the status of a descriptor's file; `nil` when it was closed since it was listed.
  private static func openStatus(of descriptor: Int32) throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try status(of: descriptor)
    } catch .badDescriptor {
      return nil
    }
  }

  /// The numbers that descriptors of this process can have.
  private static func candidates() throws(Errno) -> [Int32] {
    #if canImport(Darwin)
      // The list of `proc_pidinfo` is not in iOS's SDK. A descriptor above the limit can only have
      // been opened before the limit was lowered.
      return Array(0..<getdtablesize())
    #else
      var folder = try OpenDirectory("/proc/self/fd")
      var numbers: [Int32] = []
      while let entry = try folder.next() {
        if let number = entry.name.flatMap({ Int32($0) }) { numbers.append(number) }
      }
      return numbers
    #endif
  }

  /// Returns the first bytes of a file through a descriptor that other code has opened, without
  /// moving its offset; `nil` when it is not open for reading or another file's by now.
  static func firstBytes(
    _ count: Int, through descriptor: Int32, of file: FileStatus
  ) throws(Errno) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    do throws(Errno) {
      let found = try call(.read) {
        unsafe buffer.withUnsafeMutableBytes { bytes in
          unsafe pread(descriptor, bytes.baseAddress, bytes.count, 0)
        }
      }
      return try isDescriptor(descriptor, of: file) ? Array(buffer.prefix(found)) : nil
    } catch .badDescriptor {
      return nil
    }
  }
}
