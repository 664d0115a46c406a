public import Foundation
import Holdfast
import HoldfastFiles

/// The file that a live reference stands for at a moment.
///
/// Two are equal when both their URLs and the states of their files are: a file that was replaced
/// under its name is another one.
public struct ReferencedFile: Hashable, Sendable {
  /// The present location of the file, or the address on the network that the record contains.
  public var url: URL

  /// The state of the file; `nil` when it cannot be examined now.
  var version: Version?

  /// A value that changes when a file is replaced or written.
  struct Version: Hashable, Sendable {
    var inode: UInt64
    var byteCount: Int64
    var modified: Int64
  }
}

/// A record's file as it was resolved.
struct Resolution: Sendable {
  var file: ReferencedFile?

  /// The path where the file is or would be, so that its folder can be watched.
  var place: FilePath?

  /// Resolves a record.
  ///
  /// There is no file when the record stands for none, or when its file is proven to be absent. A file
  /// that cannot be examined now, as while the device is locked, may be there.
  init(_ record: LedgerRecord?, in container: Container) {
    guard let record, record.state == .recorded else { return }
    guard let path = record.path else {
      if PathDialect.isRemote(record.storedText), let url = URL(string: record.storedText) {
        file = ReferencedFile(url: url)
      }
      return
    }
    let url: URL
    do throws(FileError) {
      url = try container.url(for: path)
    } catch {
      // A path that leads out of its root has no URL. Where that cannot be checked, the file may be
      // there; as elsewhere, it is not opened here.
      guard error.code != .outsideRoot, let root = try? container.url(for: path.root) else {
        return
      }
      url = path.components.reduce(root) { $0.appending(path: $1, directoryHint: .notDirectory) }
    }
    // A URL of the container is a path.
    place = try? FilePath(of: url)
    switch FolderSurvey(container).answer(path) {
    case .absent: break
    case .unknown: file = ReferencedFile(url: url)
    case .present(let status):
      file = ReferencedFile(url: url, version: status.map(ReferencedFile.Version.init))
    }
  }
}

extension ReferencedFile.Version {
  fileprivate init(_ status: FileStatus) {
    self.init(inode: status.inode, byteCount: status.byteCount, modified: status.modified)
  }
}
