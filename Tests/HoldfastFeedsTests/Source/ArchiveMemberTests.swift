import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

/// The kinds of members that a zip archive may hold, written by Python's `zipfile`.
@Suite struct ArchiveMemberTests {
  private static let hasPython =
    FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Writes an archive of the fixture's files, each by one line of Python.
  private func archive(_ fixture: FeedFixture, _ line: String) throws -> URL {
    let source = try fixture.writeFolder(in: folder, under: "files-\(UUID().uuidString)")
    let archive = folder.url.appending(path: "\(UUID().uuidString).zip")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import os, sys, zipfile
      class Pipe:
          # Without a position, as standard output: sizes follow the bytes, in data descriptors.
          def __init__(self, file): self.file = file
          def write(self, data): return self.file.write(data)
          def flush(self): self.file.flush()
      folder, path = sys.argv[1:]
      out = open(path, 'wb')
      def write(out, method, **options):
          with zipfile.ZipFile(out, 'w', method, **options) as archive:
              for name in sorted(os.listdir(folder)):
                  data = open(os.path.join(folder, name), 'rb').read()
                  with archive.open(name, 'w', force_zip64=zip64) as member: member.write(data)
      zip64 = False
      \(line)
      out.close()
      """, source.path(percentEncoded: false), archive.path(percentEncoded: false),
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return archive
  }

  /// A feed with a file of several blocks, whose rows differ.
  private var fixture: FeedFixture {
    var fixture = FeedFixture()
    fixture["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
      + (0..<30_000).map { "S\($0 / 100),\($0 * 7919 % 90).5,\($0 * 104_729 % 180),\($0)\n" }
      .joined()
    return fixture
  }

  private func bytes(of file: FeedSource.File, in source: FeedSource) throws -> [UInt8] {
    let read = try source.open(file)
    var buffer = [UInt8](repeating: 0, count: 70_001)
    var bytes: [UInt8] = []
    while case let count = try read(&buffer, 0..<buffer.count), count > 0 {
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  @Test(
    .enabled(if: hasPython, "python3 is absent"),
    arguments: [
      "write(out, zipfile.ZIP_DEFLATED)", "write(out, zipfile.ZIP_DEFLATED, compresslevel=9)",
      "write(out, zipfile.ZIP_DEFLATED, compresslevel=1)", "write(out, zipfile.ZIP_STORED)",
      "write(Pipe(out), zipfile.ZIP_DEFLATED)", "write(Pipe(out), zipfile.ZIP_STORED)",
      "zip64 = True; write(out, zipfile.ZIP_DEFLATED)",
      "zip64 = True; write(Pipe(out), zipfile.ZIP_DEFLATED)", "write(out, zipfile.ZIP_BZIP2)",
    ])
  func `each kind of member has the bytes of its file`(line: String) throws {
    let fixture = fixture
    let url = try archive(fixture, line)
    let source = try FeedSource(at: url)
    #expect(source.files.count == fixture.files.count)
    for file in source.files {
      #expect(try bytes(of: file, in: source) == fixture.files[file.name], "\(file.name)")
    }
    #expect(try FeedReport.examine(url).rows["shapes.txt"] == 30_000)
  }

  @Test(.enabled(if: hasPython, "python3 is absent"))
  func `a changed byte of a deflated member is an error or changes nothing`() throws {
    let fixture = FeedFixture()
    let sound = try archive(fixture, "write(out, zipfile.ZIP_DEFLATED)")
    let bytes = try Data(contentsOf: sound)
    let url = folder.url.appending(path: "changed.zip")
    var codes: [FeedError.Code: Int] = [:]
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 1 << UInt8(index % 8)
      try changed.write(to: url)
      do {
        let source = try FeedSource(at: url)
        for file in source.files {
          let found = try self.bytes(of: file, in: source)
          #expect(found == fixture.files[file.name], "byte \(index)")
        }
      } catch let error as FeedError {
        codes[error.code, default: 0] += 1
      }
    }
    #expect(codes[.damaged, default: 0] > bytes.count / 4)
    #expect(Set(codes.keys).isSubset(of: [.damaged, .notAFeed]))
  }

  @Test(.enabled(if: hasPython, "python3 is absent"))
  func `a deflated member that breaks off or says another length is refused`() throws {
    let url = try archive(fixture, "write(out, zipfile.ZIP_DEFLATED)")
    let bytes = Array(try Data(contentsOf: url))
    // In the list at the end of the archive: CRC at 16, compressed length at 20, length at 24.
    let name = Array("shapes.txt".utf8)
    let start = try #require(
      bytes.indices.last { bytes[$0...].starts(with: name) }.map { $0 - 46 })
    func refusal(_ change: (inout [UInt8]) -> Void) throws -> FeedError? {
      var changed = bytes
      change(&changed)
      let copy = try folder.write(changed, to: "copy.zip")
      return #expect(throws: FeedError.self) { try FeedReport.examine(copy) }
    }
    let errors = [
      try refusal { $0[start + 16] ^= 1 }, try refusal { $0[start + 21] &-= 1 },
      try refusal { $0[start + 25] &+= 1 }, try refusal { $0[start + 25] &-= 1 },
    ]
    #expect(errors.map { $0?.code } == [.damaged, .damaged, .damaged, .damaged])
    #expect(errors.allSatisfy { $0?.file == "shapes.txt" })
    #expect(errors[0]?.message.contains("CRC error") == true)
    #expect(errors[3]?.message.contains("unpacks to more than") == true)
  }
}
