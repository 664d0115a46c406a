#if SQLCipher
  public import Foundation

  /// The key of an encrypted database.
  ///
  /// Its description does not contain the key.
  ///
  /// - SeeAlso: <https://www.zetetic.net/sqlcipher/sqlcipher-api/#key>
  public struct EncryptionKey: Hashable, Sendable {
    /// The bytes as SQLCipher takes them.
    let bytes: [UInt8]

    /// A passphrase, from which each connection derives the key.
    ///
    /// The derivation takes a good part of a second for each connection that is opened: the writer,
    /// each reader, and each of them again after a suspension.
    ///
    /// SQLCipher takes a passphrase of the form `x'…'`, with 64 or 96 hexadecimal digits, for a raw key.
    ///
    /// - Parameter passphrase: The passphrase, as UTF-8; not empty.
    /// - Returns: A key whose bytes are the UTF-8 of the passphrase.
    public static func passphrase(_ passphrase: String) -> EncryptionKey {
      EncryptionKey(bytes: Array(passphrase.utf8))
    }

    /// A passphrase, from which each connection derives the key.
    ///
    /// - Parameter passphrase: The bytes of the passphrase; not empty.
    /// - Returns: The key that a text with these bytes in UTF-8 gives.
    public static func passphrase(_ passphrase: Data) -> EncryptionKey {
      EncryptionKey(bytes: Array(passphrase))
    }

    /// A key that is used as it is, without a derivation.
    ///
    /// - Parameter key: 32 bytes from a source of random numbers that is fit for cryptography, such
    ///   as `SystemRandomNumberGenerator`.
    /// - Returns: A key that SQLCipher gets as 64 hexadecimal digits.
    /// - Precondition: `key` has 32 bytes.
    public static func raw(_ key: Data) -> EncryptionKey {
      precondition(key.count == 32, "A raw key has 32 bytes.")
      return EncryptionKey(bytes: Array("x'\(hexadecimal(key))'".utf8))
    }
  }

  extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
  {
    /// The words "encryption key".
    public var description: String { "encryption key" }

    /// The words "encryption key".
    public var debugDescription: String { description }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Returns bytes as hexadecimal digits, as SQLCipher takes them.
  func hexadecimal(_ bytes: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
#endif
