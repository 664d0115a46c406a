import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The identity of a process, which no other process has, not even one with its number later.
package struct ProcessIdentity: Hashable, Sendable {
  /// The number of the process.
  package var number: Int32

  /// The time when it was started, in units that the system defines; `nil` when the system does not
  /// say.
  package var start: UInt64?

  package init(number: Int32, start: UInt64?) {
    self.number = number
    self.start = start
  }

  /// This process.
  package static var current: ProcessIdentity {
    ProcessIdentity(number: getpid(), start: start(of: getpid()))
  }

  /// Whether a process runs.
  package enum Presence: Hashable, Sendable {
    case running, ended
    /// The system does not say.
    case unknown
  }

  /// Whether the process runs, as far as this one may know.
  ///
  /// The process must be of this system's present start, and of this process's table of processes.
  package var presence: Presence {
    do throws(Errno) {
      _ = try SystemCalls.call(.kill) { Int(kill(number, 0)) }
    } catch Errno(ESRCH) {
      return .ended
    } catch {
      // It runs, or has ended and is not collected, and belongs to another user.
    }
    #if os(Linux)
      // A process that has ended, and is not collected by its parent, has closed its files.
      if let status = Self.status(of: number),
        [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains(status.state)
      {
        return .ended
      }
    #endif
    guard let start, let found = Self.start(of: number) else { return .unknown }
    return start == found ? .running : .ended
  }

  /// Whether the process is stopped, by a signal or by a debugger, and keeps its locks until it goes on.
  package var isStopped: Bool {
    #if os(Linux)
      guard let status = Self.status(of: number) else { return false }
      return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(status.state)
    #else
      return unsafe Self.information(of: number)?.kp_proc.p_stat == CChar(SSTOP)
    #endif
  }

  #if os(Linux)
    /// Returns the clock ticks from the system's start to the process's start.
    private static func start(of number: Int32) -> UInt64? {
      status(of: number)?.start
    }

    /// Returns the state's letter and the start of a process.
    ///
    /// - SeeAlso: `proc_pid_stat(5)`
    private static func status(of number: Int32) -> (state: UInt8, start: UInt64)? {
      do throws(Errno) {
        // 4711 (name) S 1 …; the name may contain parentheses and spaces.
        let bytes = try KernelText("/proc/\(number)/stat").bytes
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let words = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        // The state is the third word of the line, the start its 22nd.
        guard words.count > 19, let state = words[0].first,
          let start = UInt64(String(decoding: words[19], as: UTF8.self))
        else { return nil }
        return (state, start)
      } catch {
        // There is no /proc, or it does not show the process.
        return nil
      }
    }
  #else
    /// Returns the microseconds from 1970 to the start of the process.
    private static func start(of number: Int32) -> UInt64? {
      guard let process = unsafe information(of: number) else { return nil }
      let time = unsafe process.kp_proc.p_un.__p_starttime
      return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_usec)
    }

    private static func information(of number: Int32) -> kinfo_proc? {
      var query = [CTL_KERN, KERN_PROC, KERN_PROC_PID, number]
      var process = unsafe kinfo_proc()
      var size = unsafe MemoryLayout<kinfo_proc>.stride
      let result = unsafe sysctl(&query, UInt32(query.count), &process, &size, nil, 0)
      guard result == 0, size > 0 else { return nil }
      return unsafe process
    }
  #endif
}

/// The identity of what the numbers of processes are valid in.
package struct ProcessScope: Hashable, Sendable {
  /// Identifies the system's start; `nil` when the system does not say.
  package var boot: String?

  /// Identifies the table of processes, of which Linux has one per container.
  package var table: String

  package init(boot: String?, table: String) {
    self.boot = boot
    self.table = table
  }

  /// That of this process; read each time, because a failure to read it must not last.
  package static var current: ProcessScope {
    ProcessScope(boot: presentBoot, table: presentTable)
  }

  #if os(Linux)
    private static var presentBoot: String? {
      do throws(Errno) {
        let bytes = try KernelText("/proc/sys/kernel/random/boot_id").bytes
        return digest(bytes)
      } catch {
        // Without /proc nothing is known.
        return nil
      }
    }

    private static var presentTable: String {
      // Without namespaces there is one table.
      (try? SystemCalls.linkText(of: "/proc/self/ns/pid")).map { digest(Array($0.utf8)) } ?? "0"
    }
  #else
    private static var presentBoot: String? {
      var bytes = [UInt8](repeating: 0, count: 64)
      var size = bytes.count
      let result = unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0)
      guard result == 0, size > 1 else { return nil }
      return digest(Array(bytes.prefix(size)))
    }

    private static var presentTable: String { "0" }
  #endif

  /// Returns 8 hexadecimal digits that stand for a text.
  private static func digest(_ bytes: [UInt8]) -> String {
    var hasher = SHA256()
    hasher.update(bytes)
    return String("\(hasher.finalize())".prefix(8))
  }
}
