import HoldfastTestSupport

/// Changes to bytes that readers are known to stumble over: lengths, numbers, quotes, ends.
struct ByteMutation {
  private let seeds: [[UInt8]]

  /// Numbers and texts at the edges of what readers compute with.
  private static let tokens: [[UInt8]] =
    [
      "9223372036854775807", "-9223372036854775808", "18446744073709551616", "-1", "0", "1e999",
      "nan", "4294967296", "\"", "\\u0000", "\\ud800", "{", "[", "\"\u{301}", "%2F", "../",
      "&#x110000;",
      "file:///var/mobile/Containers/Data/Application/", "25:60:99", "99999999",
    ].map { Array($0.utf8) }
    + [
      [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [0x80, 0, 0, 0, 0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x80, 0x80, 0x80, 0x80, 0x10], [0, 0, 0, 0],
    ]

  init(of seeds: [[UInt8]]) { self.seeds = seeds }

  /// Returns other bytes for each number.
  func bytes(_ number: UInt64) -> [UInt8] {
    var random = SeededRandom(unprinted: number)
    var bytes = seeds.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...16, using: &random))
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
      case 2:
        if place < bytes.count {
          bytes[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
      case 3: bytes.removeSubrange(place..<end)
      case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 5: bytes.removeLast(bytes.count - place)
      case 6:
        let other = seeds.randomElement(using: &random) ?? []
        bytes = Array(bytes.prefix(place)) + other.suffix(Int.random(in: 0...64, using: &random))
      default:
        bytes.replaceSubrange(place..<end, with: Self.tokens.randomElement(using: &random) ?? [])
      }
    }
    return bytes
  }
}
