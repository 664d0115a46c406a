#if os(Linux)
  import Foundation
  import Glibc

  /// The running processes, their names and their open files.
  package enum ProcessTable {
    /// Returns the name of a process, of which the kernel keeps 15 bytes; `nil` when it does not
    /// run.
    package static func name(of process: Int32) -> String? {
      do {
        let text = try KernelText("/proc/\(process)/comm")
        let name = text.bytes.prefix { $0 != UInt8(ascii: "\n") }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
      } catch _ {
        // The process has ended.
        return nil
      }
    }

    /// Whether `/proc` shows this process under its own number.
    ///
    /// A `/proc` of another PID namespace does not: all of its numbers stand for other processes
    /// here.
    ///
    /// - SeeAlso: `pid_namespaces(7)`, "/proc and PID namespaces"
    package static var hasOwnProcess: Bool {
      get throws(Errno) {
        do throws(Errno) {
          return try SystemCalls.linkText(of: "/proc/self") == "\(getpid())"
        } catch .notFound {
          return false
        }
      }
    }

    /// Whether `/proc` shows every process of the system.
    ///
    /// That of a PID namespace, such as a container's, omits the processes outside, and their
    /// locks.
    package static var isOfWholeSystem: Bool {
      do throws(Errno) {
        // `PROC_PID_INIT_INO` in the kernel's `proc_ns.h`: the number of the first namespace.
        return try SystemCalls.linkText(of: "/proc/self/ns/pid") == "pid:[4026531836]"
      } catch {
        // A kernel without such namespaces.
        return error == .notFound
      }
    }

    /// Whether a process has a file open; `nil` when this one may not know.
    package static func hasOpen(_ process: Int32, _ file: FileStatus) -> Bool? {
      hasOpen("\(process)", file)
    }

    /// Whether any process has a file open; `nil` when this one may not know.
    ///
    /// A process of another user may have it open, unless its descriptors can be listed.
    package static func isOpen(_ file: FileStatus) -> Bool? {
      guard isOfWholeSystem else { return nil }
      let (numbers, isComplete) = processes(havingOpen: file)
      return numbers.isEmpty ? (isComplete ? false : nil) : true
    }

    /// Returns the processes that have a file open, and whether none can be missing from them.
    package static func processes(
      havingOpen file: FileStatus
    ) -> (numbers: [Int32], isComplete: Bool) {
      var isComplete = isOfWholeSystem
      let numbers = all.filter { process in
        if let isOpen = hasOpen(process, file) { return isOpen }
        // It has ended, or belongs to another user.
        if ProcessIdentity(number: process, start: nil).presence != .ended { isComplete = false }
        return false
      }
      return (numbers.sorted(), isComplete)
    }

    /// Visits the status of each open file of the processes whose descriptors can be listed.
    package static func visitOpenFiles(_ visit: (FileStatus) -> Void) {
      for process in all.map(String.init) {
        for descriptor in descriptors(of: process) ?? [] {
          if let status = status(of: descriptor, of: process) { visit(status) }
        }
      }
    }

    private static func hasOpen(_ process: String, _ file: FileStatus) -> Bool? {
      descriptors(of: process).map { descriptors in
        descriptors.contains { isDescriptor($0, of: process, on: file) }
      }
    }

    /// Returns the process that holds a lock on an open file, for which the kernel's table names no
    /// process; the first one when several have the file open.
    package static func holder(of lock: KernelLock, on file: FileStatus) -> Int32? {
      all.first { number in
        let process = "\(number)"
        return descriptors(of: process)?.contains { descriptor in
          isDescriptor(descriptor, of: process, on: file)
            && locks(of: descriptor, of: process).contains(lock)
        } ?? false
      }
    }

    /// The devices of the mounted file systems.
    package static var mountedDevices: Set<UInt64> {
      do {
        // 36 35 98:0 /root /mount rw …
        let devices = try KernelText("/proc/self/mountinfo").lines.compactMap { words in
          words.count > 2
            ? words[2].split(separator: UInt8(ascii: ":")).map {
              UInt64(String(decoding: $0, as: UTF8.self)) ?? 0
            } : nil
        }
        return Set(
          devices.filter { $0.count == 2 }.map { KernelLock.device(major: $0[0], minor: $0[1]) })
      } catch _ {
        // Without the table of mounts, no device counts as mounted.
        return []
      }
    }

    private static var all: [Int32] {
      do {
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
      } catch _ {
        // Without /proc no process can be examined.
        return []
      }
    }

    private static func descriptors(of process: String) -> [String]? {
      do {
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
      } catch _ {
        // The process has ended, or belongs to another user.
        return nil
      }
    }

    /// Returns whether a descriptor is open on a file.
    private static func isDescriptor(
      _ descriptor: String, of process: String, on file: FileStatus
    ) -> Bool {
      status(of: descriptor, of: process)?.isSameFile(as: file) == true
    }

    /// Returns the status of an open file; following the kernel's link opens nothing.
    private static func status(of descriptor: String, of process: String) -> FileStatus? {
      do {
        return try SystemCalls.status(of: "/proc/\(process)/fd/\(descriptor)")
      } catch _ {
        // The process has ended, or has closed the descriptor.
        return nil
      }
    }

    private static func locks(of descriptor: String, of process: String) -> [KernelLock] {
      do {
        // lock:	1: OFDLCK ADVISORY  WRITE -1 fe:00:1213242 0 EOF
        let mark = Array("lock:\t".utf8)
        let text = try KernelText("/proc/\(process)/fdinfo/\(descriptor)").bytes
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: mark) }
        return try KernelLock.parse(
          Array(lines.map { $0.dropFirst(mark.count) }.joined(separator: [UInt8(ascii: "\n")])))
      } catch _ {
        // The process has ended, or belongs to another user.
        return []
      }
    }
  }
#endif
