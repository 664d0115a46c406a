import Foundation
import HoldfastFiles
import Synchronization

/// A database that stays in its folder while this value lives, also after a newer one is current.
///
/// It is no lock, so it survives a suspension; it ends with the process, however the process ends.
final class DatabaseLease: Sendable {
  let name: DatabaseName

  private let leases: LeaseFolder
  private let lease: Lease

  // Locked while the lease is recorded, so that it is recorded once.
  private let problem: Mutex<FileError?>

  init(_ name: DatabaseName, in folder: GenerationFolder) {
    self.name = name
    leases = folder.leases
    lease = LeaseFolder.lease(name.text, for: Self.role)
    problem = Mutex(Self.record(lease, in: leases))
  }

  deinit {
    if problem.withLock({ $0 == nil }) { leases.release(lease) }
  }

  /// Records the lease if that failed, unless this process may not write to the folder.
  func recordAgain() {
    problem.withLock { problem in
      guard let code = problem?.code, ![.accessDenied, .readOnly].contains(code) else { return }
      problem = Self.record(lease, in: leases)
    }
  }

  private static func record(_ lease: Lease, in leases: LeaseFolder) -> FileError? {
    do throws(FileError) {
      try leases.record(lease)
      return nil
    } catch {
      // A folder of another user is read nevertheless; Linux lists who has its files open.
      Log.report(
        .info, .opening, "The use of '\(lease.generation)' was not recorded: \(error.code)")
      return error
    }
  }

  /// The name of this process, of the bytes that the name of a lease may have.
  private static let role: String = {
    let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let bytes = name.utf8.prefix(64).map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
        byte
      default: UInt8(ascii: "_")
      }
    }
    return bytes.isEmpty ? "process" : String(decoding: bytes, as: UTF8.self)
  }()
}
