// Declarations of Darwin's libc that this package uses, for type checking on Linux with
// Scripts/check-apple. What both systems share comes from Linux's libc. They are never linked or
// run.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import CDarwin
public import Dispatch
@_exported public import Glibc

// MARK: - fcntl.h, errno.h

public var F_FULLFSYNC: CInt { 51 }
public var SEEK_DATA: CInt { 4 }
public var ENOATTR: CInt { 93 }

// MARK: - sys/stat.h, signal.h

extension stat {
  public var st_mtimespec: timespec { stub() }
  public var st_ctimespec: timespec { stub() }
}

extension sigaction {
  public var __sigaction_u: darwin_sigaction_u { stub() }
}

public var UTIME_OMIT: CInt { -2 }

// MARK: - dirent.h

public struct DIR {}

public func fdopendir(_ descriptor: CInt) -> UnsafeMutablePointer<DIR>! { stub() }

public func readdir(_ stream: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
  stub()
}

@discardableResult public func closedir(_ stream: UnsafeMutablePointer<DIR>!) -> CInt { stub() }

// MARK: - stdio.h

public var RENAME_EXCL: CInt { 4 }
public var RENAME_SWAP: CInt { 2 }

public func renamex_np(
  _ path: UnsafePointer<CChar>!, _ newPath: UnsafePointer<CChar>!, _ flags: UInt32
) -> CInt { stub() }

// MARK: - sys/xattr.h

public func listxattr(
  _ path: UnsafePointer<CChar>!, _ names: UnsafeMutablePointer<CChar>!, _ size: Int,
  _ options: CInt
) -> Int { stub() }

public func getxattr(
  _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!, _ value: UnsafeMutableRawPointer!,
  _ size: Int, _ position: UInt32, _ options: CInt
) -> Int { stub() }

public func setxattr(
  _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!, _ value: UnsafeRawPointer!,
  _ size: Int, _ position: UInt32, _ options: CInt
) -> CInt { stub() }

public func removexattr(
  _ path: UnsafePointer<CChar>!, _ name: UnsafePointer<CChar>!, _ options: CInt
) -> CInt { stub() }

// MARK: - sys/clonefile.h

public func fclonefileat(
  _ source: CInt, _ folder: CInt, _ target: UnsafePointer<CChar>!, _ flags: UInt32
) -> CInt { stub() }

// MARK: - sys/sysctl.h

public var CTL_KERN: CInt { 1 }
public var KERN_PROC: CInt { 14 }
public var KERN_PROC_PID: CInt { 1 }

public func sysctl(
  _ name: UnsafeMutablePointer<CInt>!, _ count: UInt32, _ old: UnsafeMutableRawPointer!,
  _ oldSize: UnsafeMutablePointer<Int>!, _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> CInt { stub() }

public func sysctlbyname(
  _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!,
  _ oldSize: UnsafeMutablePointer<Int>!, _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> CInt { stub() }

// MARK: - notify.h

public func notify_post(_ name: UnsafePointer<CChar>!) -> UInt32 { stub() }

public func notify_register_dispatch(
  _ name: UnsafePointer<CChar>!, _ token: UnsafeMutablePointer<CInt>!, _ queue: DispatchQueue!,
  _ handler: (@convention(block) (CInt) -> Void)!
) -> UInt32 { stub() }

public func notify_cancel(_ token: CInt) -> UInt32 { stub() }

private func stub() -> Never { preconditionFailure("A stub is never run.") }
