public import HoldfastFiles
import Holdfast

/// A difference between a file of a pack and the pack's manifest.
public struct PackFileFlaw: Hashable, Sendable {
  /// The kind of the difference.
  public enum Kind: Hashable, Sendable {
    /// There is no such file.
    case missing
    /// There is a folder, a link or something else in its place.
    case notRegular
    /// It has another length, in bytes.
    case size(Int64)
    /// It has the right length and other content.
    case digest(SHA256Digest)
    /// It is not a database.
    case notADatabase
    /// It is a database in write-ahead-log mode, which cannot be read without other files.
    case writeAheadLog
    /// Its pages have another size, in bytes.
    case pageSize(Int)
    /// Its header states another length, in bytes.
    case statedSize(Int64)
    /// It has other numbers of an application.
    case schema(PackFile.Schema)
    /// SQLite would apply a log next to it, of this name.
    case log(String)
  }

  /// The path of the file.
  public let path: PackPath

  /// The kind of the difference.
  public let kind: Kind

  package init(path: PackPath, kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

extension PackFileFlaw {
  /// Compares the first bytes and the length of a file with its description.
  ///
  /// - Parameters:
  ///   - file: The description of the file.
  ///   - start: The first 100 bytes, or all bytes of a shorter file.
  ///   - byteCount: The length of the file, in bytes.
  /// - Returns: The difference; `nil` when there is none.
  package static func found(
    in file: PackFile, start: [UInt8], byteCount: Int64
  ) -> PackFileFlaw? {
    kind(file, start, byteCount).map { PackFileFlaw(path: file.path, kind: $0) }
  }

  private static func kind(_ file: PackFile, _ start: [UInt8], _ byteCount: Int64) -> Kind? {
    guard byteCount == file.content.byteCount else { return .size(byteCount) }
    guard let schema = file.schema else { return nil }
    let header = DatabaseHeader(start, fileByteCount: byteCount)
    guard header.isDatabase else { return .notADatabase }
    if header.hasWriteAheadLog { return .writeAheadLog }
    guard header.pageSize == file.pageSize else { return .pageSize(header.pageSize) }
    if let stated = header.statedByteCount, stated > byteCount { return .statedSize(stated) }
    let found = PackFile.Schema(
      applicationID: header.applicationID, userVersion: header.userVersion)
    return found == schema ? nil : .schema(found)
  }
}
