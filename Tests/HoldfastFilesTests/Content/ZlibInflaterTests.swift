import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

@Suite struct ZlibInflaterTests {
  private let content = Array("Lantern fair, lantern fair, lantern fair".utf8)

  /// What gzip of Python 3.11 wrote, with references to earlier bytes.
  private static let compressed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xF3, 0x49, 0xCC, 0x2B, 0x49,
    0x2D, 0xCA, 0x53, 0x48, 0x4B, 0xCC, 0x2C, 0xD2, 0x51, 0xC8, 0xC1, 0xC9, 0x03, 0x00, 0x78,
    0x3B, 0xA5, 0xE4, 0x28, 0x00, 0x00, 0x00,
  ]

  private func fault(_ bytes: [UInt8], most: Int = 1000) -> InflationFault? {
    #expect(throws: InflationFault.self) { try ZlibInflater().inflate(bytes, most: most) }
  }

  @Test func `gzip and zlib are decompressed, one content after the other`() throws {
    let inflater = ZlibInflater()
    let long = (0..<200_000).map { UInt8($0 & 0xFF) }
    for bytes in [content, [], long, [0]] {
      for compressed in [CompressedBytes.gzip(bytes), CompressedBytes.zlib(bytes)] {
        let result = try inflater.inflate(compressed, most: 200_000)
        #expect(result.bytes == bytes && result.laterByteCount == 0)
        #expect(result.trailingByteCount == 0)
      }
    }
    #expect(try inflater.inflate(Self.compressed, most: 1000).bytes == content)
  }

  @Test func `Parts are decompressed as long as they are wanted`() throws {
    let inflater = ZlibInflater()
    for count in [0, 1, 65_535, 65_536, 65_537, 200_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
      let compressed = CompressedBytes.zlib(bytes)
      var content: [UInt8] = []
      try inflater.inflateParts(compressed + [1]) { part in
        for index in 0..<part.count { content.append(part[index]) }
        return true
      }
      #expect(content == bytes)
      #expect(throws: InflationFault.truncated) {
        try inflater.inflateParts(compressed.dropLast()) { _ in true }
      }
      // What is not wanted is not looked at.
      try inflater.inflateParts(compressed.dropLast(4)) { _ in false }
    }
    #expect(CRC32.checksum(of: Array("123456789".utf8).span) == 0xCBF4_3926)
  }

  @Test func `One whole member is decompressed into room that is used again`() throws {
    let inflater = ZlibInflater()
    var room: [UInt8] = []
    func inflate(_ bytes: [UInt8], most: Int = 300_000) -> [UInt8]? {
      inflater.inflateWhole(bytes.span, into: &room, most: most).map { Array(room[..<$0]) }
    }
    let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
    for bytes in [content, [], long, [0], content] {
      for compressed in [CompressedBytes.gzip(bytes), CompressedBytes.zlib(bytes)] {
        #expect(inflate(compressed) == bytes)
        // Whatever is left to the other function is not taken for whole.
        #expect(inflate(compressed + [0]) == nil)
        #expect(inflate(compressed + compressed) == nil)
        #expect(inflate(compressed.dropLast(1)) == nil)
        var other = compressed
        other[other.count - 1] ^= 1
        #expect(inflate(other) == nil)
        if bytes.count > 1 {
          var small: [UInt8] = []
          #expect(
            inflater.inflateWhole(compressed.span, into: &small, most: bytes.count - 1) == nil)
          #expect(small.count < bytes.count)
        }
      }
    }
    #expect(inflate([]) == nil && inflate([0x1F, 0x8B]) == nil)
  }

  @Test func `A broken content is an error, and the next one is read nevertheless`() throws {
    let inflater = ZlibInflater()
    for whole in [CompressedBytes.gzip(content), Self.compressed] {
      for count in 0..<whole.count {
        let fault = #expect(throws: InflationFault.self) {
          try inflater.inflate(Array(whole[..<count]), most: 1000)
        }
        #expect(fault == .truncated, "\(count)")
        #expect(try inflater.inflate(whole, most: 1000).bytes == content)
      }
      // The checksum, and the length.
      for offset in 1...8 {
        var bytes = whole
        bytes[whole.count - offset] ^= 1
        guard case .invalid = fault(bytes) else {
          Issue.record("\(offset)")
          continue
        }
      }
    }
    #expect(fault(Array("<html>".utf8)) == .invalid(reason: "incorrect header check"))
  }

  @Test func `Further members and other bytes are counted, and not returned`() throws {
    let inflater = ZlibInflater()
    let member = CompressedBytes.gzip(content)
    let two = try inflater.inflate(member + CompressedBytes.gzip([1, 2, 3]), most: 1000)
    #expect(two.bytes == content && two.laterByteCount == 3 && two.trailingByteCount == 0)
    let empty = try inflater.inflate(member + CompressedBytes.gzip([]), most: 1000)
    #expect(empty.laterByteCount == 0 && empty.trailingByteCount == 0)
    let padded = try inflater.inflate(member + [0, 0, 0], most: 1000)
    #expect(padded.bytes == content && padded.trailingByteCount == 3)
    #expect(fault(member + member.dropLast()) == .truncated)
  }

  @Test func `What is longer than the caller accepts is an error`() throws {
    let member = CompressedBytes.gzip(content)
    #expect(try ZlibInflater().inflate(member, most: content.count).bytes == content)
    #expect(fault(member, most: content.count - 1) == .tooLong(most: content.count - 1))
    #expect(fault(member + member, most: content.count + 1) == .tooLong(most: content.count + 1))
    let long = CompressedBytes.gzip([UInt8](repeating: 7, count: 100_000))
    #expect(fault(long, most: 99_999) == .tooLong(most: 99_999))
  }

  @Test func `The beginning is returned of broken content, too`() {
    let member = CompressedBytes.gzip(content)
    let inflater = ZlibInflater()
    #expect(inflater.beginning(of: member, count: 7) == Array(content.prefix(7)))
    #expect(inflater.beginning(of: Array(member.prefix(20)), count: 64) == Array(content.prefix(5)))
    #expect(inflater.beginning(of: [0x1F, 0x8B, 8], count: 64) == [])
    #expect(inflater.beginning(of: [0x78, 0x9C, 0xFF, 0xFF], count: 64) == [])
  }
}
