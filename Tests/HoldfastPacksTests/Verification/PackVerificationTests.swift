import Foundation
import Holdfast
import HoldfastFiles
import HoldfastPacks
import HoldfastTestSupport
import Testing

@Suite struct PackVerificationTests {
  let app: PackApp
  let sample: SamplePack

  init() throws {
    app = try PackApp()
    sample = try app.sample("1")
  }

  private func verification() throws -> PackVerification {
    try PackVerification(of: sample.manifest, in: FilePath(of: sample.url))
  }

  private var database: PackFile {
    get throws { try #require(sample.manifest.files.first { $0.kind.isDatabase }) }
  }

  private func url(_ file: PackFile) -> URL { sample.url.appending(path: file.path.description) }

  private func change(_ url: URL, at offset: UInt64, to byte: UInt8) throws {
    let handle = try FileHandle(forUpdating: url)
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: [byte])
    try handle.close()
  }

  @Test func `A pack as it was built is whole`() throws {
    #expect(try verification().isWhole)
    #expect(try PackVerification(of: sample.url).isWhole)
    #expect(try verification().surplus == [])
  }

  // IB-B2
  @Test func `A short file is found, and one that is missing`() throws {
    let file = try database
    let handle = try FileHandle(forUpdating: url(file))
    try handle.truncate(atOffset: 100)
    try handle.close()
    #expect(try verification().flaws == [PackFileFlaw(path: file.path, kind: .size(100))])
    try FileManager.default.removeItem(at: url(file))
    #expect(try verification().flaws == [PackFileFlaw(path: file.path, kind: .missing)])
    #expect(try !verification().isWhole)
  }

  @Test func `A changed byte is found in any file, at any place`() throws {
    for file in sample.manifest.files where file.content.byteCount > 0 {
      let original = try Data(contentsOf: url(file))
      for place in [0, original.count / 2, original.count - 1] {
        try change(url(file), at: UInt64(place), to: ~original[place])
        let flaws = try verification().flaws
        #expect(flaws.map(\.path) == [file.path], "\(file.path) at \(place)")
        #expect(flaws.allSatisfy { !$0.description.isEmpty })
        try original.write(to: url(file))
      }
    }
    #expect(try verification().isWhole)
  }

  @Test func `A header that differs is named`() throws {
    let file = try database
    let original = try Data(contentsOf: url(file))
    let cases: [(UInt64, UInt8, PackFileFlaw.Kind)] = [
      (0, 0, .notADatabase), (18, 2, .writeAheadLog), (16, 0x20, .pageSize(0x2000)),
      (
        63, 99,
        .schema(
          .init(applicationID: try #require(file.schema?.applicationID), userVersion: 99))
      ),
    ]
    for (offset, byte, kind) in cases {
      try change(url(file), at: offset, to: byte)
      #expect(try verification().flaws == [PackFileFlaw(path: file.path, kind: kind)])
      try original.write(to: url(file))
    }
    // The number of pages, at offset 28.
    try change(url(file), at: 29, to: 1)
    let flaws = try verification().flaws
    guard case .statedSize = try #require(flaws.first).kind else {
      Issue.record("\(flaws)")
      return
    }
  }

  @Test(arguments: ["-wal", "-journal"])
  func `A log with content next to a database is damage`(
    _ ending: String
  ) throws {
    let file = try database
    let log = URL(filePath: url(file).path + ending)
    try Data().write(to: log)
    #expect(try verification().isWhole)
    try Data("x".utf8).write(to: log)
    #expect(
      try verification().flaws == [
        PackFileFlaw(path: file.path, kind: .log(log.lastPathComponent))
      ])
  }

  @Test func `A link in place of a file or a folder is not followed`() throws {
    let file = try database
    let elsewhere = app.directory.file("elsewhere")
    try FileManager.default.moveItem(at: url(file), to: elsewhere)
    try FileManager.default.createSymbolicLink(at: url(file), withDestinationURL: elsewhere)
    #expect(try verification().flaws == [PackFileFlaw(path: file.path, kind: .notRegular)])
  }

  @Test func `Surplus files are listed and are no damage`() throws {
    try FileManager.default.createDirectory(
      at: sample.url.appending(path: "more"), withIntermediateDirectories: false)
    try Data("x".utf8).write(to: sample.url.appending(path: "more/b.txt"))
    try Data("x".utf8).write(to: sample.url.appending(path: ".DS_Store"))
    #expect(try verification().surplus == [".DS_Store", "more/b.txt"])
    #expect(try verification().isWhole)
  }

  @Test func `A file that cannot be read is no proof of damage`() throws {
    let file = try database
    let fault = SystemFault(atCall: 1, .refuse([.read: .inputOutput]))
    let verification = try SystemCalls.$fault.withValue(fault) { try self.verification() }
    #expect(verification.flaws == [])
    #expect(verification.unread[file.path]?.errno == Errno.inputOutput.rawValue)
    #expect(!verification.isWhole)
  }

  @Test func `A folder without a manifest is no pack`() throws {
    let error = try #require(throws: PackError.self) {
      try PackVerification(of: app.directory.url)
    }
    #expect(error.code == .notFound)
  }

  /// Law 1: verifying a database that this process has open does not end its locks.
  @Test(.enabled(if: OtherSQLite.isThere))
  func `Verifying keeps the locks of open connections`() throws {
    let path = url(try database).path
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN IMMEDIATE")
      #expect(try verification().isWhole)
      let refusal = #expect(throws: OtherSQLite.Refusal.self) {
        try OtherSQLite().run("BEGIN IMMEDIATE", on: path)
      }
      #expect(refusal?.name == "SQLITE_BUSY")
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
  }
}

@Suite struct VerificationMemoryTests {
  let app: PackApp
  let sample: SamplePack
  let folder: FilePath

  init() throws {
    app = try PackApp()
    sample = try app.sample("1")
    folder = try FilePath(of: sample.url)
  }

  private var name: String { folder.name }
  private var path: FilePath { folder.sibling("verified") }

  private func state() -> GenerationState {
    VerificationMemory(path).state(of: sample.manifest, named: name, in: folder)
  }

  private func file(_ number: Int = 0) -> URL {
    sample.url.appending(path: sample.manifest.files[number].path.description)
  }

  @Test func `A generation is whole once it was verified`() throws {
    #expect(state() == .unverified)
    #expect(
      try VerificationMemory(path).verify(sample.manifest, named: name, in: folder) == .whole)
    #expect(state() == .whole)
  }

  @Test func `No byte is read of what was verified`() throws {
    VerificationMemory(path).remember(sample.manifest, named: name, in: folder)
    let fault = SystemFault(atCall: .max, .fail(.inputOutput))
    let state = SystemCalls.$fault.withValue(fault) { self.state() }
    #expect(state == .whole)
    // One for the memory itself, and one that finds its end.
    #expect(fault.callsSeen.filter { $0 == .open }.count == 1)
    #expect(fault.callsSeen.filter { $0 == .lstat }.count == sample.manifest.files.count)
  }

  @Test func `A file that was written, replaced or touched is verified again`() throws {
    let memory = VerificationMemory(path)
    let content = try Data(contentsOf: file())
    let changes: [() throws -> Void] = [
      { try content.write(to: file()) },
      { try content.write(to: file(), options: .atomic) },
      {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file().path)
      },
      {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file().path)
      },
    ]
    for change in changes {
      #expect(try memory.verify(sample.manifest, named: name, in: folder) == .whole)
      #expect(state() == .whole)
      try change()
      #expect(state() == .unverified)
    }
    try Data("short".utf8).write(to: file())
    #expect(state() == .damaged)
    try FileManager.default.removeItem(at: file())
    #expect(state() == .damaged)
    #expect(
      try VerificationMemory(path).verify(sample.manifest, named: name, in: folder) == .damaged)
  }

  /// A file is written back with its times, and its inode stays: only the time of its status tells.
  @Test func `A change that hides behind its old times is noticed`() throws {
    VerificationMemory(path).remember(sample.manifest, named: name, in: folder)
    let status = try SystemCalls.linkStatus(of: file().path)
    let original = try Data(contentsOf: file())
    let handle = try FileHandle(forUpdating: file())
    try handle.write(contentsOf: [~original[0]])
    try handle.close()
    let opened = try SystemCalls.openFile(file().path, for: .update)
    try SystemCalls.changeModified(of: opened, to: status.modified)
    try opened.close()
    let present = try SystemCalls.linkStatus(of: file().path)
    try #require(present.modified == status.modified && present.inode == status.inode)
    #expect(state() == .unverified)
    #expect(
      try VerificationMemory(path).verify(sample.manifest, named: name, in: folder) == .damaged)
  }

  @Test(arguments: ["", "{", #"{"format":2,"generations":{}}"#, "\u{0}\u{0}"])
  func `A damaged memory costs a verification and nothing else`(_ text: String) throws {
    try Data(text.utf8).write(to: path.url)
    #expect(state() == .unverified)
    #expect(
      try VerificationMemory(path).verify(sample.manifest, named: name, in: folder) == .whole)
    #expect(state() == .whole)
  }

  @Test func `Another manifest with the same files is not known`() throws {
    VerificationMemory(path).remember(sample.manifest, named: name, in: folder)
    let other = try PackManifest(
      name: sample.manifest.name, version: PackVersion("2"), files: sample.manifest.files)
    #expect(
      VerificationMemory(path).state(of: other, named: name, in: folder) == .unverified)
  }

  @Test func `Generations that are gone are forgotten, others stay`() throws {
    let other = try app.sample("2", city: "Reno")
    let otherFolder = try FilePath(of: other.url)
    VerificationMemory(path).remember(sample.manifest, named: name, in: folder)
    VerificationMemory(path).remember(other.manifest, named: otherFolder.name, in: otherFolder)
    #expect(state() == .whole)
    try FileManager.default.removeItem(at: sample.url)
    let third = try app.sample("3", city: "Fernley")
    let thirdFolder = try FilePath(of: third.url)
    VerificationMemory(path).remember(third.manifest, named: thirdFolder.name, in: thirdFolder)
    let text = try String(contentsOf: path.url, encoding: .utf8)
    #expect(!text.contains(name))
    #expect(text.contains(otherFolder.name) && text.contains(thirdFolder.name))
  }

  @Test func `A memory that cannot be written is no error`() throws {
    let fault = SystemFault(atCall: 1, .refuse([.open: .accessDenied, .rename: .noSpace]))
    SystemCalls.$fault.withValue(fault) {
      VerificationMemory(path).remember(sample.manifest, named: name, in: folder)
    }
    #expect(state() == .unverified)
  }
}
