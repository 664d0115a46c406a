import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls that list, rename, write in place, and keep attributes.
@Suite struct SystemCallsTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func path(_ name: String) -> String { directory.file(name).path }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: directory.file(name))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: directory.file(name)), as: UTF8.self)
  }

  /// Returns the `errno` that a call throws; `nil` when it returns.
  private func refusal(_ body: () throws -> Void) -> Errno? {
    do { try body() } catch { return error as? Errno }
    return nil
  }

  // MARK: Listing

  private func entries(
    _ path: String, followsLink: Bool = true
  ) throws(Errno) -> [DirectoryEntry] {
    var folder = try OpenDirectory(path, followsLink: followsLink)
    var entries: [DirectoryEntry] = []
    while let entry = try folder.next() { entries.append(entry) }
    return entries.sorted { $0.nameBytes.lexicographicallyPrecedes($1.nameBytes) }
  }

  @Test func aFolderListsEachNameWithItsKindAndInode() throws {
    try write("a", "book.m4b")
    try SystemCalls.makeDirectory(path("folder"))
    try SystemCalls.makeLink(path("link"), to: "book.m4b")
    let found = try entries(directory.url.path)
    #expect(found.map(\.name) == ["book.m4b", "folder", "link"])
    #expect(found.map(\.kind) == [.regular, .directory, .symbolicLink])
    #expect(found.first?.inode == (try SystemCalls.status(of: path("book.m4b")).inode))
  }

  /// Such a time ended the process.
  @Test(arguments: [14_000_000_000, 9_300_000_000, -9_300_000_000])
  func aFileMayHaveATimeOfAnyYear(seconds: Int) throws {
    try write("a", "book.m4b")
    let times = [
      timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 999_999_999),
    ]
    unsafe utimensat(AT_FDCWD, path("book.m4b"), times, 0)
    let status = try SystemCalls.linkStatus(of: path("book.m4b"))
    // A volume may keep fewer years.
    #expect(status.modified.magnitude < UInt64(Int64.max))
    #expect(
      !Int64(1_800_000_000_000_000_000).subtractingReportingOverflow(status.modified).overflow)
  }

  /// A private copy of terabytes without content filled the temporary volume.
  @Test func aCopyIsAsSparseAsItsFile() throws {
    let file = try SystemCalls.openFile(path("sparse"), for: .createNew)
    let chunk = [UInt8](repeating: 7, count: 4096)
    for place in [0, 3 << 30, 5 << 30] as [Int64] {
      try SystemCalls.writeBytes(file, chunk.span, at: place)
    }
    try SystemCalls.truncate(file, to: 9 << 30)
    try file.close()
    try SystemCalls.copyBytes(of: path("sparse"), to: path("copy"))
    let copy = try SystemCalls.openFile(path("copy"), for: .read)
    #expect(try SystemCalls.status(of: copy).byteCount == 9 << 30)
    #expect(try SystemCalls.readBytes(copy, at: 3 << 30, count: 4096) == chunk)
    var stored: Int64 = 0
    var place: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while let start = try SystemCalls.seekData(copy, from: place), stored < 64 << 20 {
      let count = Int64(try SystemCalls.readBytes(copy, into: &buffer))
      (stored, place) = (stored + count, start + count)
    }
    #expect(stored < 16 << 20)
  }

  @Test func anEmptyFolderListsNothing() throws {
    #expect(try entries(directory.url.path) == [])
  }

  @Test func aNameOfThousandsListsOnce() throws {
    for number in 0..<3000 { try write("", "file \(number) \(String(repeating: "x", count: 200))") }
    let names = try entries(directory.url.path).map(\.nameBytes)
    #expect(names.count == 3000)
    #expect(Set(names).count == 3000)
  }

  #if os(Linux)
    @Test func aNameThatIsNotUTF8IsReportedByItsBytes() throws {
      let bytes: [UInt8] = [0x61, 0xFF, 0xFE, 0x62]
      let full = Array(directory.url.path.utf8) + [UInt8(ascii: "/")] + bytes + [0]
      let descriptor = unsafe full.withUnsafeBytes { full in
        unsafe open(
          full.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
      }
      close(descriptor)
      let found = try entries(directory.url.path)
      #expect(found.map(\.name) == [nil])
      #expect(found.map(\.nameBytes) == [bytes])
      unsafe full.withUnsafeBytes { full in
        _ = unsafe unlink(full.baseAddress!.assumingMemoryBound(to: CChar.self))
      }
    }
  #endif

  @Test func namesInTwoNormalizationsAreTwoNames() throws {
    try write("1", "e\u{301}")
    try write("2", "\u{E9}")
    let names = try entries(directory.url.path).map(\.nameBytes)
    #expect(names == [Array("e\u{301}".utf8), Array("\u{E9}".utf8)])
  }

  @Test func whatIsNoFolderIsNotListed() throws {
    try write("a", "file")
    try SystemCalls.makeDirectory(path("folder"))
    try SystemCalls.makeLink(path("link"), to: "folder")
    #expect(refusal { _ = try entries(path("file")) } == .notDirectory)
    #expect(refusal { _ = try entries(path("missing")) } == .notFound)
    #expect(try entries(path("link")) == [])
    let refused = refusal { _ = try entries(path("link"), followsLink: false) }
    #expect([Errno.notDirectory, .tooManyLinks].contains(refused))
  }

  @Test func anyCallOfAListingCanFail() throws {
    try write("a", "file")
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    _ = try SystemCalls.$fault.withValue(trace) { try entries(directory.url.path) }
    #expect(trace.callsSeen.first == .open)
    #expect(trace.callsSeen.last == .close)
    #expect(trace.callsSeen.filter { $0 == .readdir }.count >= 2)
    for ordinal in 1..<trace.callsSeen.count {
      let fault = SystemFault(atCall: ordinal, .fail(.inputOutput))
      let refused = SystemCalls.$fault.withValue(fault) {
        refusal { _ = try entries(directory.url.path) }
      }
      #expect(refused == .inputOutput, "call \(ordinal)")
    }
  }

  // MARK: Renaming

  @Test(arguments: 0..<2)
  func anExclusiveMoveRefusesAnExistingFile(_ number: Int) throws {
    try write("new", "a")
    try write("old", "b")
    let fault = number == 0 ? nil : SystemFault(atCall: 1, .fail(.invalidArgument))
    SystemCalls.$fault.withValue(fault) {
      #expect(
        refusal { try SystemCalls.moveExclusively(path("a"), to: path("b")) } == .alreadyExists)
    }
    #expect(try text("a") == "new")
    #expect(try text("b") == "old")
  }

  @Test(arguments: 0..<2)
  func anExclusiveMoveLeavesOneName(_ number: Int) throws {
    try write("new", "a")
    let fault = number == 0 ? nil : SystemFault(atCall: 1, .fail(.invalidArgument))
    try SystemCalls.$fault.withValue(fault) {
      try SystemCalls.moveExclusively(path("a"), to: path("b"))
    }
    #expect(try directory.names == ["b"])
    #expect(try text("b") == "new")
    #expect(try SystemCalls.status(of: path("b")).linkCount == 1)
  }

  @Test(arguments: 0..<2)
  func anExclusiveMoveMovesAFolder(_ number: Int) throws {
    try SystemCalls.makeDirectory(path("a"))
    try write("x", "a/x")
    try SystemCalls.makeDirectory(path("b"))
    let fault = number == 0 ? nil : SystemFault(atCall: 1, .fail(.invalidArgument))
    SystemCalls.$fault.withValue(fault) {
      #expect(
        refusal { try SystemCalls.moveExclusively(path("a"), to: path("b")) } == .alreadyExists)
    }
    let again = number == 0 ? nil : SystemFault(atCall: 1, .fail(.invalidArgument))
    try SystemCalls.$fault.withValue(again) {
      try SystemCalls.moveExclusively(path("a"), to: path("c"))
    }
    #expect(try text("c/x") == "x")
  }

  @Test func aMoveWithoutLinksLooksFirst() throws {
    try write("new", "a")
    try write("old", "b")
    #expect(refusal { try moveWithoutLinks("a", "b") } == .alreadyExists)
    #expect(try text("b") == "old")
    try moveWithoutLinks("a", "c")
    #expect(try text("c") == "new")
    #expect(try directory.names == ["b", "c"])
  }

  /// Moves as on a volume that offers neither the exclusive rename nor hard links.
  private func moveWithoutLinks(_ path: String, _ newPath: String) throws {
    let fault = SystemFault(
      atCall: 1, .refuse([.renameat2: .invalidArgument, .link: .notPermitted]))
    // The look is followed by a plain rename, which such a volume does offer.
    try SystemCalls.$fault.withValue(fault) {
      try SystemCalls.moveExclusively(self.path(path), to: self.path(newPath))
    }
  }

  @Test func anExclusiveMoveToAnotherVolumeIsRefused() throws {
    try write("a", "a")
    if let volume = TemporaryDirectory.otherVolume {
      let other = try TemporaryDirectory(in: volume)
      let isOther =
        try SystemCalls.status(of: other.url.path).device
        != SystemCalls.status(of: directory.url.path).device
      try #require(isOther)
      let refused = refusal {
        try SystemCalls.moveExclusively(path("a"), to: other.file("a").path)
      }
      #expect(refused == .otherVolume)
    }
    #expect(try text("a") == "a")
  }

  @Test func onlyAnEmptyFolderIsRemoved() throws {
    try SystemCalls.makeDirectory(path("folder"))
    try write("a", "folder/a")
    #expect(refusal { try SystemCalls.removeDirectory(path("folder")) } == .notEmpty)
    try SystemCalls.remove(path("folder/a"))
    try SystemCalls.removeDirectory(path("folder"))
    #expect(try directory.names == [])
  }

  // MARK: Writing in place

  @Test func bytesAreWrittenInPlaceAndCut() throws {
    try write("0123456789", "part")
    let file = try SystemCalls.openFile(path("part"), for: .update)
    try SystemCalls.writeBytes(file, Array("abc".utf8).span, at: 4)
    try SystemCalls.writeBytes(file, Array("z".utf8).span, at: 11)
    try SystemCalls.truncate(file, to: 12)
    #expect(try text("part") == "0123abc789\0z")
    try SystemCalls.truncate(file, to: 5)
    try file.close()
    #expect(try text("part") == "0123a")
  }

  @Test func aFileForUpdateMustExistAndBeNoLink() throws {
    try write("a", "file")
    try SystemCalls.makeLink(path("link"), to: "file")
    #expect(refusal { _ = try SystemCalls.openFile(path("none"), for: .update) } == .notFound)
    #expect(refusal { _ = try SystemCalls.openFile(path("link"), for: .update) } == .tooManyLinks)
    #expect(
      refusal { _ = try SystemCalls.openFile(path("link"), for: .readPlain) } == .tooManyLinks)
    #expect(try directory.names == ["file", "link"])
  }

  #if os(Linux)
    @Test(.enabled(if: SmallVolume.isPossible, "this user cannot mount a volume"))
    func aFullVolumeSaysSoAndShowsItsFreeSpace() throws {
      let volume = try SmallVolume(at: directory.file("small"), kilobytes: 256)
      let free = try SystemCalls.freeSpace(at: volume.url.path)
      #expect(free > 128 * 1024 && free <= 256 * 1024)
      let name = volume.url.path + "/part"
      let file = try SystemCalls.openFile(name, for: .createNew)
      let piece = [UInt8](repeating: 7, count: 64 * 1024)
      try SystemCalls.writeBytes(file, piece.span, at: 0)
      #expect(try SystemCalls.freeSpace(at: name) == free - 64 * 1024)
      let refused = refusal {
        for number in 1...4 {
          try SystemCalls.writeBytes(file, piece.span, at: Int64(number) * 64 * 1024)
        }
      }
      #expect(refused == .noSpace)
    }
  #endif

  @Test(arguments: [0, 1_700_000_000_123_456_789, -1, -1_500_000_000])
  func aTimeIsKeptToTheNanosecond(_ modified: Int64) throws {
    try write("a", "a")
    let file = try SystemCalls.openFile(path("a"), for: .update)
    try SystemCalls.changeModified(of: file, to: modified)
    #expect(try SystemCalls.status(of: path("a")).modified == modified)
  }

  // MARK: Attributes

  @Test func attributesOfAnyLengthAreReadBackAndListed() throws {
    try write("a", "a")
    let long = (0..<3000).map { UInt8(truncatingIfNeeded: $0) }
    let file = path("a")
    #expect(try SystemCalls.attributeNames(of: file) == [])
    try SystemCalls.setAttribute("user.long", to: long, of: file)
    try SystemCalls.setAttribute("user.empty", to: [], of: file)
    #expect(try SystemCalls.attribute("user.long", of: file) == long)
    #expect(try SystemCalls.attribute("user.empty", of: file) == [])
    #expect(try SystemCalls.attributeNames(of: file).sorted() == ["user.empty", "user.long"])
    try SystemCalls.removeAttribute("user.long", of: file)
    #expect(try SystemCalls.attributeNames(of: file) == ["user.empty"])
    #expect(refusal { _ = try SystemCalls.attribute("user.long", of: file) } == .noAttribute)
  }

  @Test func aLongListOfAttributesIsComplete() throws {
    try write("a", "a")
    let names = (0..<40).map { "user.attribute.\($0).\(String(repeating: "n", count: 40))" }
    for name in names { try SystemCalls.setAttribute(name, to: [1], of: path("a")) }
    #expect(try SystemCalls.attributeNames(of: path("a")).sorted() == names.sorted())
  }

  // MARK: Names that are folded

  @Test func aFoldingVolumeFindsAFileUnderEachFormOfItsName() throws {
    try SystemCalls.makeDirectory(path("Books"))
    try write("x", "Books/Caf\u{E9}.m4b")
    let other = path("bOOKS/cAFE\u{301}.M4B")
    #expect(refusal { _ = try SystemCalls.status(of: other) } == .notFound)
    try SystemCalls.$fault.withValue(SystemFault(atCall: 1, .foldNames)) {
      let one = try SystemCalls.status(of: path("Books/Caf\u{E9}.m4b"))
      #expect(try SystemCalls.status(of: other).isSameFile(as: one))
      let resolved = try SystemCalls.realPath(other)
      #expect(Array(resolved.utf8) == Array(path("Books/Caf\u{E9}.m4b").utf8))
      #expect(
        refusal { _ = try SystemCalls.openFile(other, for: .createNew) } == .alreadyExists)
      #expect(refusal { _ = try SystemCalls.status(of: path("books/other")) } == .notFound)
      try SystemCalls.makeDirectory(path("BOOKS/New"))
      #expect(try entries(path("books")).map(\.name) == ["Caf\u{E9}.m4b", "New"])
      try SystemCalls.move(other, to: path("books/CAF\u{C9}.m4b"))
      #expect(try entries(path("books")).map(\.name) == ["CAF\u{C9}.m4b", "New"])
    }
  }

  @Test func aFoldingVolumeRefusesASecondFormOfAName() throws {
    try write("1", "a")
    try write("2", "B")
    try SystemCalls.$fault.withValue(SystemFault(atCall: 1, .foldNames)) {
      #expect(
        refusal { try SystemCalls.moveExclusively(path("a"), to: path("b")) } == .alreadyExists)
      try SystemCalls.move(path("a"), to: path("b"))
    }
    #expect(try directory.names == ["B"])
    #expect(try text("B") == "1")
  }
}
