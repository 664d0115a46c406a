/// The statement that a process uses a generation of something, as the name of an empty file
/// contains it.
///
/// The name says everything, so that one call of the system creates a lease or removes it, and no
/// crash leaves a part of one.
package struct Lease: Hashable, Sendable {
  /// The name of the role.
  package var role: String

  /// The scope in which the number of the process is valid.
  package var scope: ProcessScope

  /// The process that uses the generation.
  package var process: ProcessIdentity

  /// Distinguishes the leases of one process.
  package var serial: UInt64

  /// The name of the generation.
  package var generation: String

  package init(
    role: String, scope: ProcessScope, process: ProcessIdentity, serial: UInt64, generation: String
  ) {
    self.role = role
    self.scope = scope
    self.process = process
    self.serial = serial
    self.generation = generation
  }

  // In no name of a role or a generation.
  private static let separator = UInt8(ascii: "~")
  private static let unknown = "-"

  /// The name of the file.
  package var name: String {
    [
      role, scope.boot ?? Self.unknown, scope.table, "\(process.number)",
      process.start.map { "\($0)" } ?? Self.unknown, "\(serial)", generation,
    ].joined(separator: "~")
  }

  /// Parses the name of a file; `nil` when the file is not a lease.
  package init?(name: String) {
    let parts = name.utf8.split(separator: Self.separator, omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard parts.count == 7, let number = Int32(parts[3]), number > 0,
      let serial = UInt64(parts[5])
    else { return nil }
    let start = UInt64(parts[4])
    guard start != nil || parts[4] == Self.unknown else { return nil }
    self.init(
      role: parts[0],
      scope: ProcessScope(boot: parts[1] == Self.unknown ? nil : parts[1], table: parts[2]),
      process: ProcessIdentity(number: number, start: start), serial: serial,
      generation: parts[6])
  }

  /// Whether a generation is in use by the process of a lease.
  package enum Standing: Hashable, Sendable {
    case held, ended, unknown
  }

  /// Returns whether the lease's process still uses the generation.
  ///
  /// - Parameters:
  ///   - present: The scope in which the numbers of processes are valid now.
  ///   - presence: Whether a process of that scope runs.
  /// - Returns: The state of the process, as far as it is known.
  package func standing(
    in present: ProcessScope, presence: (ProcessIdentity) -> ProcessIdentity.Presence
  ) -> Standing {
    guard let boot = scope.boot, let presentBoot = present.boot else { return .unknown }
    // No process survives the system's start.
    if boot != presentBoot { return .ended }
    if scope.table != present.table { return .unknown }
    switch presence(process) {
    case .running: return .held
    case .ended: return .ended
    case .unknown: return .unknown
    }
  }

  /// Returns whether a new lease shows that this one has ended, if its role has one process.
  package func isReplaced(by new: Lease) -> Bool {
    role == new.role && !mayBeOfProcess(of: new)
  }

  /// Returns whether both can be of one process, as far as the system said.
  private func mayBeOfProcess(of other: Lease) -> Bool {
    func mayBeEqual<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      left == nil || right == nil || left == right
    }
    return process.number == other.process.number && scope.table == other.scope.table
      && mayBeEqual(process.start, other.process.start)
      && mayBeEqual(scope.boot, other.scope.boot)
  }
}
