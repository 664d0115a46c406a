public import Foundation

/// The metadata of a file or a folder that can be set.
///
/// On Apple platforms this is the system's own exclusion from backups. Elsewhere it is the extended
/// attribute `user.xdg.robots.backup` with the value `false`, which some backup tools respect; the
/// volume must offer extended attributes.
///
/// - SeeAlso: https://www.freedesktop.org/wiki/CommonExtendedAttributes/
public struct FileAttributes: Hashable, Sendable {
  /// Whether the file is excluded from backups; a folder's exclusion covers its contents.
  public var isExcludedFromBackup: Bool

  /// Creates attributes to be set.
  ///
  /// - Parameter isExcludedFromBackup: Whether the file is excluded from backups.
  public init(isExcludedFromBackup: Bool = false) {
    self.isExcludedFromBackup = isExcludedFromBackup
  }

  /// Reads the attributes of a file or a folder.
  ///
  /// - Parameter url: The file or the folder; symbolic links are followed.
  /// - Throws: ``FileError`` with `.notFound`, `.accessDenied`, `.invalidPath` or `.inputOutput`.
  public init(of url: URL) throws(FileError) {
    try self.init(of: FilePath(of: url))
  }

  /// Sets the attributes of a file or a folder, and reads them back.
  ///
  /// Moving a folder to another volume or restoring it drops them, so they are set again then.
  /// Replacing a file drops its attributes; ``AtomicReplace`` keeps them. It also keeps the
  /// permissions, which are not part of this type.
  ///
  /// - Parameter url: The file or the folder; symbolic links are followed.
  /// - Throws: ``FileError`` with `.unsupported` when the volume does not keep them, `.notFound`,
  ///   `.accessDenied`, `.readOnly`, `.noSpace`, `.invalidPath` or `.inputOutput`.
  public func set(on url: URL) throws(FileError) {
    try set(on: FilePath(of: url))
  }

  /// Sets the attributes of a file or a folder that has others, and reads them back.
  ///
  /// - Parameter url: The file or the folder; symbolic links are followed.
  /// - Throws: ``FileError``, as reading and ``set(on:)`` do.
  package func ensure(on url: URL) throws(FileError) {
    let path = try FilePath(of: url)
    if try FileAttributes(of: path) != self { try set(on: path) }
  }

  func set(on path: FilePath) throws(FileError) {
    try write(to: path)
    guard try FileAttributes(of: path) == self else { throw .attributesNotKept(path) }
  }
}

#if !canImport(Darwin)
  extension FileAttributes {
    private static let name = "user.xdg.robots.backup"
    private static let excluded = Array("false".utf8)

    init(of path: FilePath) throws(FileError) {
      do throws(Errno) {
        let value = try SystemCalls.attribute(Self.name, of: path.text)
        self.init(isExcludedFromBackup: value == Self.excluded)
      } catch .noAttribute, .notSupported {
        self.init()
      } catch {
        throw .couldNotReadAttributes(path, error)
      }
    }

    private func write(to path: FilePath) throws(FileError) {
      do throws(Errno) {
        if isExcludedFromBackup {
          try SystemCalls.setAttribute(Self.name, to: Self.excluded, of: path.text)
        } else {
          try SystemCalls.removeAttribute(Self.name, of: path.text)
        }
      } catch  where !isExcludedFromBackup && [.noAttribute, .notSupported].contains(error) {
        // There is nothing to remove.
      } catch {
        throw .couldNotSetAttributes(path, error)
      }
    }
  }
#endif
