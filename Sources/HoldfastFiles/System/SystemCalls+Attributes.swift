#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import CLinux
  import Glibc
#endif

extension SystemCalls {
  /// Returns the bytes of an extended attribute, of any length.
  package static func attribute(_ name: String, of path: String) throws(Errno) -> [UInt8] {
    try grown(from: 256) { value throws(Errno) in
      try unsafe call(.getxattr, path) { path in
        unsafe value.withUnsafeMutableBytes { value in
          #if canImport(Darwin)
            unsafe getxattr(path, name, value.baseAddress, value.count, 0, 0)
          #else
            unsafe getxattr(path, name, value.baseAddress, value.count)
          #endif
        }
      }
    }
  }

  /// Returns the names of the extended attributes that this process may read.
  ///
  /// - Throws: `Errno`; `illegalBytes` when a name is not valid UTF-8.
  package static func attributeNames(of path: String) throws(Errno) -> [String] {
    let list = try grown(from: 1024) { list throws(Errno) in
      try unsafe call(.listxattr, path) { path in
        unsafe list.withUnsafeMutableBytes { list in
          unsafe list.withMemoryRebound(to: CChar.self) { list in
            #if canImport(Darwin)
              unsafe listxattr(path, list.baseAddress, list.count, 0)
            #else
              unsafe listxattr(path, list.baseAddress, list.count)
            #endif
          }
        }
      }
    }
    var names: [String] = []
    for name in list.split(separator: 0) {
      guard let name = String(validating: name, as: UTF8.self) else { throw .illegalBytes }
      names.append(name)
    }
    return names
  }

  package static func setAttribute(
    _ name: String, to value: [UInt8], of path: String
  ) throws(Errno) {
    _ = try unsafe call(.setxattr, path) { path in
      #if canImport(Darwin)
        unsafe Int(setxattr(path, name, value, value.count, 0, 0))
      #else
        unsafe Int(setxattr(path, name, value, value.count, 0))
      #endif
    }
  }

  package static func removeAttribute(_ name: String, of path: String) throws(Errno) {
    _ = try unsafe call(.removexattr, path) { path in
      #if canImport(Darwin)
        unsafe Int(removexattr(path, name, 0))
      #else
        unsafe Int(removexattr(path, name))
      #endif
    }
  }

  /// Returns what `read` puts into a buffer that is doubled until it is large enough.
  private static func grown(
    from count: Int, _ read: (inout [UInt8]) throws(Errno) -> Int
  ) throws(Errno) -> [UInt8] {
    // Linux keeps at most 64 KiB per value and per list of names; Apple sets no limit.
    var count = count
    while true {
      var buffer = [UInt8](repeating: 0, count: count)
      do throws(Errno) {
        let found = try read(&buffer)
        return Array(buffer.prefix(found))
      } catch  where error == .outOfRange && count < 1 << 30 {
        count *= 2
      }
    }
  }
}
