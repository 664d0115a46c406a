import Foundation
import HoldfastFiles

/// The kind of a blob, judging by its first bytes.
enum BlobKind: String, Sendable, CaseIterable {
  case png, jpeg, gif, webp, heic, pdf, bplist, plist, json, gzip, zlib, sqlite, uuid, text, bytes

  /// Decides.
  ///
  /// - Parameters:
  ///   - start: The first bytes; 64 are enough.
  ///   - count: The number of all bytes.
  init(_ start: some Sequence<UInt8>, count: Int) {
    let bytes = Array(start.prefix(64))
    func begins(_ text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins("GIF87a") || begins("GIF89a") {
      self = .gif
    } else if begins("RIFF"), begins("WEBP", at: 8) {
      self = .webp
    } else if begins("ftyphei", at: 4) || begins("ftypmif1", at: 4) || begins("ftyphev", at: 4) {
      self = .heic
    } else if begins("%PDF-") {
      self = .pdf
    } else if begins("bplist0") {
      self = .bplist
    } else if begins("SQLite format 3\0") {
      self = .sqlite
    } else if bytes.starts(with: [0x1F, 0x8B]) {
      self = .gzip
    } else if count == 16, !Self.isText(bytes, count: count) {
      self = .uuid
    } else if bytes.count > 2, bytes[0] == 0x78, [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[1]) {
      self = .zlib
    } else if Self.isText(bytes, count: count) {
      let first = bytes.first { $0 > 0x20 }
      if begins("<?xml") || begins("<plist") || begins("<!DOCTYPE plist") {
        self = .plist
      } else {
        self =
          first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .text
      }
    } else {
      self = .bytes
    }
  }

  private static func isText(_ bytes: [UInt8], count: Int) -> Bool {
    var text = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
    // A letter of several bytes may be cut at the end.
    if count > bytes.count { while text.last == "\u{FFFD}" { text.removeLast() } }
    return !text.isEmpty
      && text.allSatisfy {
        $0 != "\u{FFFD}" && ($0.value >= 0x20 || [9, 10, 13].contains($0.value))
      }
  }

  /// The type of an image that every browser shows, none of which can contain a script.
  var imageType: String? {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .webp: "image/webp"
    default: nil
    }
  }
}
