import Foundation

/// A part of an app that uses packs, such as the app itself or one of its extensions.
///
/// A role is declared ``Count/one`` when at most one process has it at a time, as an iOS app: then a
/// new process of the role shows that the older one has ended, also where the system does not tell
/// whether a process runs. Otherwise a generation whose user cannot be examined stays until the
/// system's next start.
public struct LeaseRole: Hashable, Sendable {
  /// The number of processes of a role that may run at the same time.
  public enum Count: String, Hashable, Sendable {
    case one, many
  }

  /// The name: 1 to 64 ASCII letters, digits, `.`, `_` and `-`, such as a bundle identifier.
  public let name: String

  /// The number of processes of the role that may run at the same time.
  public let count: Count

  /// Creates a role.
  ///
  /// - Parameters:
  ///   - name: The name, such as a bundle identifier.
  ///   - count: The number of processes of the role that may run at the same time.
  /// - Throws: ``PackError`` with `.invalidName` when the text is no such name.
  public init(_ name: String, count: Count = .many) throws(PackError) {
    if let flaw = PackName.flaw(of: name) { throw .illegalName(name, of: "a role", flaw) }
    self.name = name
    self.count = count
  }

  /// The role of this process: its bundle identifier, or else its name, for any number of processes.
  public static var process: LeaseRole { process(.many) }

  /// Returns the role of this process: its bundle identifier, or else its name.
  ///
  /// - Parameter count: The number of processes of the role that may run at the same time.
  /// - Returns: A role whose name has at most 64 bytes; `process` where neither is a legal name.
  public static func process(_ count: Count) -> LeaseRole {
    let text = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let name = String(text.utf8.prefix(64).map { legal($0) })
    return LeaseRole(unchecked: PackName.flaw(of: name) == nil ? name : "process", count)
  }

  private init(unchecked name: String, _ count: Count) {
    self.name = name
    self.count = count
  }

  private static func legal(_ byte: UInt8) -> Character {
    let character = Character(Unicode.Scalar(byte))
    return PackName.flaw(of: "a\(character)") == nil ? character : "_"
  }
}
