#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import CLinux
  import Glibc
#endif

extension SystemCalls {
  /// Renames a file or a folder; a file at the new path is replaced.
  package static func move(_ path: String, to newPath: String) throws(Errno) {
    let newPath = try target(newPath, of: path)
    _ = try unsafe call(.rename, path) { path in
      unsafe newPath.withCString { newPath in unsafe Int(rename(path, newPath)) }
    }
  }

  /// Renames a file or a folder if nothing exists at the new path, in one step.
  ///
  /// A volume that does not offer this is given a second name for the file, then the first is
  /// removed: a crash between the two leaves both, as names of one file. A folder, and a file on a
  /// volume without hard links, is renamed after a look instead; there, and only there, a file
  /// that another process creates between the two is replaced.
  ///
  /// - Throws: `Errno`; `alreadyExists` when something exists at the new path, `otherVolume` when
  ///   it is on another volume.
  package static func moveExclusively(_ path: String, to newPath: String) throws(Errno) {
    do throws(Errno) {
      let newPath = try target(newPath, of: path)
      _ = try unsafe call(.renameat2, path) { path in
        unsafe newPath.withCString { newPath in
          #if canImport(Darwin)
            unsafe Int(renamex_np(path, newPath, UInt32(RENAME_EXCL)))
          #else
            unsafe Int(renameat2(AT_FDCWD, path, AT_FDCWD, newPath, LINUX_RENAME_NOREPLACE))
          #endif
        }
      }
    } catch  where [.invalidArgument, .notSupported, .notImplemented].contains(error) {
      try moveByLink(path, to: newPath)
    }
  }

  /// Exchanges the names of two files or folders on one volume, in one step.
  ///
  /// - Throws: `Errno`; `notSupported` when the volume does not offer this.
  package static func exchange(_ path: String, with otherPath: String) throws(Errno) {
    let otherPath = fault?.folded(otherPath) ?? otherPath
    do throws(Errno) {
      _ = try unsafe call(.renameat2, path) { path in
        unsafe otherPath.withCString { otherPath in
          #if canImport(Darwin)
            unsafe Int(renamex_np(path, otherPath, UInt32(RENAME_SWAP)))
          #else
            unsafe Int(renameat2(AT_FDCWD, path, AT_FDCWD, otherPath, LINUX_RENAME_EXCHANGE))
          #endif
        }
      }
    } catch  where [.invalidArgument, .notImplemented].contains(error) {
      throw .notSupported
    }
  }

  private static func moveByLink(_ path: String, to newPath: String) throws(Errno) {
    if try linkStatus(of: path).kind == .directory {
      return try moveAfterLook(path, to: newPath)
    }
    let target = try target(newPath, of: path)
    do throws(Errno) {
      _ = try unsafe call(.link, path) { path in
        unsafe target.withCString { target in
          // A symbolic link gets the second name itself, as with rename.
          unsafe Int(linkat(AT_FDCWD, path, AT_FDCWD, target, 0))
        }
      }
    } catch  where [.notPermitted, .notSupported, .notImplemented].contains(error) {
      return try moveAfterLook(path, to: newPath)
    }
    try remove(path)
  }

  private static func moveAfterLook(_ path: String, to newPath: String) throws(Errno) {
    do throws(Errno) {
      _ = try linkStatus(of: newPath)
    } catch .notFound {
      return try move(path, to: newPath)
    }
    throw .alreadyExists
  }

  /// Returns the path that a renamed file gets.
  private static func target(_ newPath: String, of path: String) throws(Errno) -> String {
    guard !newPath.utf8.contains(0) else { throw .invalidArgument }
    return fault?.folded(newPath, renamedFrom: path) ?? newPath
  }
}
