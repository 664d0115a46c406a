import Foundation
import Holdfast

/// The key of an encrypted database, which a file or the environment contains, and never an argument.
///
/// Other users of a machine see the arguments of a process, and a shell keeps them in its history.
struct InputKey {
  /// The environment variable with a passphrase, or with a raw key as `x'…'` of 64 digits.
  static let variable = "HOLDFAST_KEY"
  /// The environment variable with the path of a file that contains the same.
  static let fileVariable = "HOLDFAST_KEY_FILE"
  /// The environment variable with the salt of a database whose header is readable, in 32 digits.
  static let saltVariable = "HOLDFAST_CIPHER_SALT"

  /// Whether the tool can read encrypted databases, and the environment has a key for them.
  static let isUsable: Bool = {
    let environment = ProcessInfo.processInfo.environment
    return Database.canDecrypt
      && (environment[variable] != nil || environment[fileVariable] != nil)
  }()

  private let key: String
  private let salt: Data?

  /// Reads the key; `nil` when there is none.
  ///
  /// - Parameter environment: The variables.
  /// - Throws: ``ToolError`` when the file cannot be read, or a value is invalid.
  init?(in environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    if let key = environment[Self.variable] {
      self.key = key
    } else if let file = environment[Self.fileVariable] {
      key = try Self.content(of: URL(filePath: file))
    } else {
      return nil
    }
    guard !key.isEmpty else { throw ToolError.emptyKey(Self.variable, Self.fileVariable) }
    salt = try environment[Self.saltVariable].map(Self.salt)
  }

  private static func content(of file: URL) throws -> String {
    let text: String
    do {
      text = try String(contentsOf: file, encoding: .utf8)
    } catch {
      throw ToolError.keyNotRead(file.relativePath, error)
    }
    // An editor ends the line; a return and a line feed are one character.
    return text.last?.isNewline == true ? String(text.dropLast()) : text
  }

  private static func salt(_ digits: String) throws -> Data {
    let values = digits.compactMap(\.hexDigitValue)
    guard digits.utf8.count == 32, values.count == 32 else {
      throw ToolError.invalidSalt(saltVariable)
    }
    return Data(stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
  }

  /// Gives the key of the environment to each connection of a database, if its file may be encrypted.
  ///
  /// For verbs that read all databases of a folder, of which only some are encrypted.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the database.
  ///   - header: The header of its file.
  /// - Throws: ``ToolError`` in a tool without encryption.
  static func apply(to configuration: inout Configuration, for header: DatabaseHeader) throws {
    guard [.possible, .afterPlaintextHeader].contains(header.encryption) else { return }
    try InputKey()?.apply(to: &configuration)
  }

  /// Gives the key to each connection of a database, before anything else is done with it.
  ///
  /// - Throws: ``ToolError`` in a tool without encryption.
  func apply(to configuration: inout Configuration) throws {
    #if SQLCipher
      configuration.prepareFirst { [key, salt] db in
        try db.usePassphrase(key)
        if let salt { try db.usePlaintextHeader(salt: salt) }
      }
    #else
      throw ToolError.noEncryption(Self.variable)
    #endif
  }
}
