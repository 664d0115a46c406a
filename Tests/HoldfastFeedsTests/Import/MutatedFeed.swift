import Foundation
import HoldfastTestSupport

@testable import HoldfastFeeds

/// A feed with a few random mutations of its texts, or of the archive that contains them.
///
/// The seed determines the feed, the mutations and the form in which it is written, so its description
/// is a line that reproduces it.
struct MutatedFeed: CustomStringConvertible {
  /// A feed before it is mutated.
  struct Base {
    var name: String
    /// The archive as its publisher made it; `nil` of a feed that is a folder.
    var archive: [UInt8]?
    var files: [(path: String, bytes: [UInt8])]

    init(folder: URL) throws {
      name = folder.lastPathComponent
      files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }

    init(archive url: URL) throws {
      name = url.lastPathComponent
      archive = [UInt8](try Data(contentsOf: url))
      let archive = try ZipArchive(at: url)
      files = try archive.entries.filter { $0.size > 0 }.map { entry in
        var bytes = [UInt8](repeating: 0, count: entry.size)
        let source = try archive.open(entry)
        var count = 0
        while count < bytes.count { count += try source(&bytes, count..<bytes.count) }
        return (entry.path, bytes)
      }
    }
  }

  /// Values that are wrong in some column, or hard to read in any.
  private static let values = [
    "", "0", "-1", "1", "x", "é", "\u{0}", "\u{FEFF}", "\"", "\"\"", "\"a\nb\"", " ", "NaN", "inf",
    "1e308", "-0.0",
    "25:61:61", "9999:59:59", "99999:00:00", "23:59:60", "-1:00:00", "20260230", "00000101",
    "99991231",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "2147483648", "65536",
    "180.0001", "-90.5", "Mars/Olympus", "Australia/Lord_Howe", "#FFFFFFF", "a,b", "a\r", "../../x",
    String(repeating: "y", count: 70_000),
  ]

  let seed: UInt64
  private(set) var mutations: [String] = []
  private let name: String
  private var random: SeededRandom
  private var files: [(path: String, bytes: [UInt8])]
  private var archive: [UInt8]?

  var description: String { "HOLDFAST_SEED=\(seed): \(name): \(mutations.joined(separator: "; "))" }

  init(seed: UInt64, of bases: [Base]) {
    self.seed = seed
    random = SeededRandom(unprinted: seed)
    let base = bases[Int(seed) % bases.count]
    (name, files) = (base.name, base.files)
    switch Int.random(in: 0..<8, using: &random) {
    case 0...1 where base.archive != nil:
      archive = base.archive
      mutateArchive()
    case 2:
      for _ in 0..<Int.random(in: 0...1, using: &random) { mutateText() }
      zipWithFalseEntry()
    case 3...4:
      for _ in 0..<Int.random(in: 1...4, using: &random) { mutateText() }
      archive = zip.bytes
    default: for _ in 0..<Int.random(in: 1...4, using: &random) { mutateText() }
    }
  }

  /// Writes the feed into an empty folder.
  func write(in folder: URL) throws -> URL {
    if let archive {
      let url = folder.appending(path: "feed.zip")
      try Data(archive).write(to: url)
      return url
    }
    let url = folder.appending(path: "feed")
    for (path, bytes) in files {
      // A path out of the archive would lead out of the folder.
      let file = url.appending(path: path.replacing("../", with: "up/"))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    return url
  }

  private var zip: ZipFile { ZipFile(files.map { ZipFile.Entry($0.path, $0.bytes) }) }

  private mutating func index(_ count: Int) -> Int {
    Int.random(in: 0..<max(1, count), using: &random)
  }

  private mutating func range(_ count: Int, atMost length: Int) -> Range<Int> {
    let start = index(count)
    return start..<min(count, start + 1 + index(length))
  }

  // MARK: - Archives

  private mutating func mutateArchive() {
    guard var bytes = archive else { return }
    switch index(5) {
    case 0:
      let count = index(bytes.count)
      bytes.removeSubrange(count...)
      mutations.append("archive cut off at \(count)")
    case 1:
      let zeros = range(bytes.count, atMost: 4096)
      bytes.replaceSubrange(zeros, with: repeatElement(0, count: zeros.count))
      mutations.append("archive zeroed in \(zeros)")
    case 2:
      let part = range(bytes.count, atMost: 64)
      bytes.removeSubrange(part)
      mutations.append("archive without \(part)")
    case 3:
      // The list of files lies at the end.
      for _ in 0...index(6) {
        flip(&bytes, bytes.count - 1 - index(min(bytes.count, 600)), "archive")
      }
    default: for _ in 0...index(8) { flip(&bytes, index(bytes.count), "archive") }
    }
    archive = bytes
  }

  private mutating func zipWithFalseEntry() {
    var zip = zip
    let entry = index(zip.entries.count)
    let path = zip.entries[entry].name
    switch index(6) {
    case 0: zip.entries[entry].size = UInt64(index(1 << 34))
    case 1: zip.entries[entry].crc = UInt32(truncatingIfNeeded: random.next())
    case 2: zip.entries[entry].method = UInt16(index(20))
    case 3: zip.entries[entry].flags = UInt16(truncatingIfNeeded: random.next())
    case 4: zip.entries.append(zip.entries[entry])
    default: zip.entries[entry].name = ["a/", "../", "/", "__MACOSX/", "é/"][index(5)] + path
    }
    archive = zip.bytes
    mutations.append("entry \(path) false in size, sum, method, flags, number or name")
  }

  // MARK: - Texts

  private mutating func mutateText() {
    guard !files.isEmpty else { return }
    let file = index(files.count)
    var (path, bytes) = files[file]
    switch index(12) {
    case 0...1:
      for _ in 0...index(8) where !bytes.isEmpty { flip(&bytes, index(bytes.count), path) }
    case 2:
      let count = index(bytes.count)
      bytes.removeSubrange(count...)
      mutations.append("\(path) cut off at \(count)")
    case 3:
      files.remove(at: file)
      mutations.append("\(path) missing")
      return
    case 4:
      let other = index(files.count)
      bytes = files[other].bytes
      mutations.append("\(path) has the text of \(files[other].path)")
    default: mutateTable(&bytes, path)
    }
    files[file].bytes = bytes
  }

  private mutating func flip(_ bytes: inout [UInt8], _ at: Int, _ path: String) {
    let value = UInt8(truncatingIfNeeded: random.next())
    bytes[at] = value
    mutations.append("\(path)[\(at)] = \(value)")
  }

  /// Mutates rows, columns or fields, whose commas in quotes are mutated too.
  private mutating func mutateTable(_ bytes: inout [UInt8], _ path: String) {
    var rows = bytes.split(separator: 10, omittingEmptySubsequences: false).map {
      $0.split(separator: 44, omittingEmptySubsequences: false).map(Array.init)
    }
    let columns = rows[0].count
    switch index(8) {
    case 0:
      let dropped = range(rows.count, atMost: max(1, rows.count / 3))
      rows.removeSubrange(dropped)
      mutations.append("\(path) without rows \(dropped)")
    case 1:
      let (row, times) = (index(rows.count), 1 + index(3))
      rows.insert(contentsOf: repeatElement(rows[row], count: times), at: index(rows.count))
      mutations.append("\(path) row \(row) \(times) times more")
    case 2:
      let (one, other, end) = (index(columns), index(columns), index(2) == 0 ? 1 : rows.count)
      for row in 0..<end where rows[row].count > max(one, other) { rows[row].swapAt(one, other) }
      mutations.append("\(path) columns \(one) and \(other) swapped in \(end) rows")
    case 3:
      let column = index(columns)
      for row in rows.indices where rows[row].count > column { rows[row].remove(at: column) }
      mutations.append("\(path) without column \(column)")
    case 4:
      let (one, other) = (index(rows.count), index(rows.count))
      rows.swapAt(one, other)
      mutations.append("\(path) rows \(one) and \(other) swapped")
    default:
      // A value in one row, or in all.
      let (column, value) = (index(columns), index(Self.values.count))
      let changed =
        index(6) == 0 && value < Self.values.count - 1
        ? 1..<rows.count : range(rows.count, atMost: 1)
      for row in changed where rows[row].count > column {
        rows[row][column] = Array(Self.values[value].utf8)
      }
      mutations.append("\(path) value \(value) in column \(column) of rows \(changed)")
    }
    bytes = Array(rows.map { $0.joined(separator: [44]) }.joined(separator: [10]))
  }
}
