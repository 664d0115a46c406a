import CTracer
import Foundation

/// What may be on a disk after a loss of power: everything that was synced, and of the rest any part.
///
/// A file system keeps the entries of a folder in the order of its changes or not at all, and the
/// blocks of a file in any order; a synced file or folder is as it was when it was synced, or newer.
struct PowerLoss {
  /// Which of the changes that were not synced are on the disk.
  enum Survival {
    /// None.
    case nothing
    /// The entries of folders, and not the content of files.
    case names
    /// The content of files, and not the entries of folders.
    case contents
    /// Some entries, and some blocks of files.
    case some(SeededRandom)
  }

  private struct Entry: Hashable {
    var inode: UInt64
    var type: Int
    var name: String
    var link: String
  }

  private static let folderType = 4
  private static let linkType = 10

  private let durable: URL
  /// The folders and files before the process began, which are on the disk.
  private var firstEntries: [UInt64: [Entry]] = [:]
  private var firstFiles: [UInt64: URL] = [:]
  private var root: UInt64 = 0

  /// Prepares the examination of a process.
  ///
  /// - Parameters:
  ///   - folder: The folder in which the process works.
  ///   - template: A folder with the same content, which stays as it is.
  ///   - durable: The folder that receives what the process syncs.
  /// - Throws: A `CocoaError` when a folder cannot be read.
  init(in folder: URL, like template: URL, durable: URL) throws {
    self.durable = durable
    root = try Self.inode(folder)
    try note(folder, template)
  }

  private mutating func note(_ folder: URL, _ template: URL) throws {
    let entries = try Self.entries(of: folder)
    firstEntries[try Self.inode(folder)] = entries
    for entry in entries {
      let (url, original) = (
        folder.appending(path: entry.name), template.appending(path: entry.name)
      )
      if entry.type == Self.folderType {
        try note(url, original)
      } else if entry.type != Self.linkType {
        firstFiles[entry.inode] = original
      }
    }
  }

  // MARK: - States

  /// Writes a possible state of the disk.
  ///
  /// - Parameters:
  ///   - survival: Which changes are on the disk.
  ///   - folder: The folder as the process left it.
  ///   - target: The folder to write, which does not exist.
  /// - Throws: ``PackCampaignError``; a `CocoaError` when a file cannot be read or written.
  func write(_ survival: Survival, of folder: URL, to target: URL) throws {
    var present = Present()
    try present.note(folder)
    var survival = survival
    try write(root, present, &survival, to: target)
  }

  /// The folders and files as the process left them.
  private struct Present {
    var entries: [UInt64: [Entry]] = [:]
    var files: [UInt64: URL] = [:]

    mutating func note(_ folder: URL) throws {
      let entries = try PowerLoss.entries(of: folder)
      self.entries[try PowerLoss.inode(folder)] = entries
      for entry in entries {
        let url = folder.appending(path: entry.name)
        if entry.type == PowerLoss.folderType {
          try note(url)
        } else {
          files[entry.inode] = url
        }
      }
    }
  }

  private func write(
    _ folder: UInt64, _ present: Present, _ survival: inout Survival, to target: URL
  ) throws {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
    for entry in try entries(of: folder, present, &survival) {
      let url = target.appending(path: entry.name)
      switch entry.type {
      case Self.folderType: try write(entry.inode, present, &survival, to: url)
      case Self.linkType:
        try FileManager.default.createSymbolicLink(
          atPath: url.path, withDestinationPath: entry.link)
      default: try content(of: entry.inode, present, &survival).write(to: url)
      }
    }
  }

  private func entries(
    of folder: UInt64, _ present: Present, _ survival: inout Survival
  ) throws -> [Entry] {
    let synced = try syncedEntries(of: folder)
    guard let entries = present.entries[folder] else { return synced }
    switch survival {
    case .nothing, .contents: return synced
    case .names: return entries
    case .some(var random):
      defer { survival = .some(random) }
      return Self.mixture(synced, entries, &random)
    }
  }

  /// Returns some of the changes between two lists of entries.
  ///
  /// Entries that share a name or a file changed together, as by a rename, and stay together.
  private static func mixture(
    _ old: [Entry], _ new: [Entry], _ random: inout SeededRandom
  ) -> [Entry] {
    let kept = Set(old).intersection(new)
    var changes = Set(old).symmetricDifference(new).sorted {
      ($0.name, $0.inode) < ($1.name, $1.inode)
    }
    var result = Array(kept)
    while let first = changes.popLast() {
      var group = [first]
      var index = 0
      while index < group.count {
        let member = group[index]
        group += changes.filter { $0.inode == member.inode || $0.name == member.name }
        changes.removeAll { $0.inode == member.inode || $0.name == member.name }
        index += 1
      }
      let side = Set(Bool.random(using: &random) ? new : old)
      result += group.filter(side.contains)
    }
    return result
  }

  private func content(
    of inode: UInt64, _ present: Present, _ survival: inout Survival
  ) throws -> Data {
    let synced = try syncedContent(of: inode)
    guard let url = present.files[inode] else { return synced }
    let content = try Data(contentsOf: url)
    switch survival {
    case .nothing, .names: return synced
    case .contents: return content
    case .some(var random):
      defer { survival = .some(random) }
      return Self.mixture(synced, content, &random)
    }
  }

  /// Returns one block of the one or the other after another; a missing one is zeros.
  private static func mixture(_ old: Data, _ new: Data, _ random: inout SeededRandom) -> Data {
    guard old != new else { return old }
    let block = 512
    let count = Bool.random(using: &random) ? old.count : new.count
    var result = Data(count: count)
    for start in stride(from: 0, to: count, by: block) {
      let side = Bool.random(using: &random) ? old : new
      let end = min(start + block, count, side.count)
      if start < end { result.replaceSubrange(start..<end, with: side[start..<end]) }
    }
    return result
  }

  // MARK: - What is synced

  private func syncedContent(of inode: UInt64) throws -> Data {
    let kept = durable.appending(path: "\(inode)")
    if FileManager.default.fileExists(atPath: kept.path) { return try Data(contentsOf: kept) }
    return try firstFiles[inode].map { try Data(contentsOf: $0) } ?? Data()
  }

  private func syncedEntries(of inode: UInt64) throws -> [Entry] {
    let kept = durable.appending(path: "\(inode)")
    guard FileManager.default.fileExists(atPath: kept.path) else {
      return firstEntries[inode] ?? []
    }
    return try String(contentsOf: kept, encoding: .utf8).split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts[0].split(separator: " ", maxSplits: 2)
      guard words.count == 3, let inode = UInt64(words[0]), let type = Int(words[1]) else {
        throw PackCampaignError.failed("a line of a folder is \(line)")
      }
      return Entry(
        inode: inode, type: type, name: String(words[2]), link: String(parts.last ?? ""))
    }
  }

  private static func inode(_ url: URL) throws -> UInt64 {
    let number =
      try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? NSNumber
    return number?.uint64Value ?? 0
  }

  private static func entries(of folder: URL) throws -> [Entry] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let path = folder.path + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let type: Int
      var link = ""
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory?: type = folderType
      case .typeSymbolicLink?:
        type = linkType
        link = try FileManager.default.destinationOfSymbolicLink(atPath: path)
      default: type = 8
      }
      let inode = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
      return Entry(inode: inode, type: type, name: name, link: link)
    }
  }
}
