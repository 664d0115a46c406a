import Foundation

/// The memory of a process, as Linux counts it.
enum ProcessMemory {
  /// The resident memory, in bytes.
  static var resident: Int { read("VmRSS") }

  /// The greatest resident memory so far, in bytes.
  static var peak: Int { read("VmHWM") }

  /// The greatest resident memory of another process so far, in bytes.
  static func peak(of process: Int32) -> Int { read("VmHWM", of: "\(process)") }

  private static func read(_ name: String, of process: String = "self") -> Int {
    // Zero where the system has no such file.
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    let kibibytes = line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    return kibibytes * 1024
  }
}

extension Int {
  /// The number of bytes in MiB.
  var mebibytes: Double { Double(self) / 1_048_576 }
}
