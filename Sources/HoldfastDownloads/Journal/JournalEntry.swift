import Foundation
import HoldfastFiles

/// The stored state of a download until it is recorded.
///
/// A later version adds keys and never changes the meaning of one.
struct JournalEntry: Codable, Equatable {
  /// A file, recognized without reading it.
  struct Identity: Codable, Equatable {
    var device: UInt64
    var inode: UInt64
    var byteCount: Int64
    // A number of an inode is used again, with another time.
    var modified: Int64
  }

  /// The facts that were verified about complete content.
  struct Verified: Codable, Equatable {
    var digest: FileDigest
    /// The part, which keeps its identity when it is renamed.
    var part: Identity
    /// Whether another file at the destination is replaced.
    var replaces: Bool
    /// The copy of the part, when the destination is on another volume.
    var copy: Identity?
  }

  var version = 1
  var id: String
  var url: URL
  var destination: RelocatablePath
  var expectedByteCount: Int64?
  var expectedSHA256: SHA256Digest?
  var priority: DownloadPriority
  var isExcludedFromBackup: Bool
  /// Whether the request is forced; `nil` means that it is not.
  var isForced: Bool?
  var acceptedTypes: [String]?

  /// The version of the content that the part belongs to.
  var validator: Validator?
  /// The length of the complete content.
  var total: Int64?
  /// The number of bytes that survive a power loss; those after them are trusted only where a
  /// digest proves them.
  var syncedByteCount: Int64 = 0

  var verified: Verified?

  init(_ request: DownloadRequest) {
    id = request.id
    url = request.url
    destination = request.destination
    expectedByteCount = request.expectedByteCount
    expectedSHA256 = request.expectedSHA256
    priority = request.priority
    isExcludedFromBackup = request.attributes.isExcludedFromBackup
    isForced = request.isForced ? true : nil
    acceptedTypes = request.acceptedTypes
  }

  /// The request, without its fields, which are not stored.
  var request: DownloadRequest {
    var request = DownloadRequest(id: id, from: url, to: destination)
    request.expectedByteCount = expectedByteCount
    request.expectedSHA256 = expectedSHA256
    request.priority = priority
    request.attributes.isExcludedFromBackup = isExcludedFromBackup
    request.isForced = isForced ?? false
    request.acceptedTypes = acceptedTypes
    return request
  }

  /// The entry as JSON; `nil` when a value cannot be written.
  var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Every value is a text, a number or a Boolean.
    guard let data = try? encoder.encode(self) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// Parses JSON; `nil` for anything but an entry that this version understands.
  init?(text: String) {
    // A power loss may leave an entry of zeros.
    guard let entry = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
      entry.version == 1
    else { return nil }
    self = entry
  }

  /// Whether bytes that were received for this entry can be used for a request.
  ///
  /// Those of another URL, such as one that was signed again, are used only where a digest proves them.
  func serves(_ request: DownloadRequest) -> Bool {
    Array(id.utf8) == Array(request.id.utf8)
      && (hasURL(of: request) || expectedSHA256 != nil)
      && expectedByteCount == request.expectedByteCount
      && expectedSHA256 == request.expectedSHA256
  }

  /// Whether the validator is one of the request's URL.
  func hasURL(of request: DownloadRequest) -> Bool {
    url.absoluteString.utf8.elementsEqual(request.url.absoluteString.utf8)
  }
}
