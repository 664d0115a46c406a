import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct SmallFileTests {
  let directory: TemporaryDirectory
  let path: FilePath

  init() throws {
    directory = try TemporaryDirectory()
    path = try FilePath(of: directory.file("file"))
  }

  @Test func `A file is read up to its limit`() throws {
    for count in [0, 1, 99, 100] {
      let bytes = (0..<count).map { UInt8($0) }
      try Data(bytes).write(to: path.url)
      #expect(try SmallFile(at: path, upTo: 100) == .bytes(bytes))
    }
    try Data(count: 101).write(to: path.url)
    #expect(try SmallFile(at: path, upTo: 100) == .unsuitable(.invalidArgument))
  }

  @Test func `What is no plain file is not read`() throws {
    #expect(try SmallFile(at: path, upTo: 100) == .none)
    let file = try FilePath(of: directory.file("other"))
    try file.createFile(with: [7])
    #expect(try SmallFile(at: file.appending(["below"]), upTo: 100) == .none)
    try SystemCalls.makeLink(path.text, to: "other")
    #expect(try SmallFile(at: path, upTo: 100) == .unsuitable(.tooManyLinks))
    try SystemCalls.remove(path.text)
    try path.makeDirectory()
    #expect(try SmallFile(at: path, upTo: 100) == .unsuitable(.invalidArgument))
  }

  @Test func `Each failing call is an error`() throws {
    try path.createFile(with: [7])
    let trace = SystemFault(atCall: .max, .fail(.inputOutput))
    _ = try SystemCalls.$fault.withValue(trace) { try SmallFile(at: path, upTo: 100) }
    for (index, name) in trace.callsSeen.enumerated() where name != .close {
      let fault = SystemFault(atCall: index + 1, .fail(.inputOutput))
      let error = #expect(throws: FileError.self) {
        try SystemCalls.$fault.withValue(fault) { try SmallFile(at: path, upTo: 100) }
      }
      #expect(error?.code == .inputOutput)
    }
  }

  @Test func `A name exists whatever has it`() throws {
    #expect(try !path.exists())
    try SystemCalls.makeLink(path.text, to: "nowhere")
    #expect(try path.exists())
    #expect(try !path.appending(["below"]).exists())
    let file = try FilePath(of: directory.file("other"))
    try file.createFile(with: [])
    #expect(try file.exists())
    // Nothing is replaced.
    #expect(throws: FileError.self) { try file.createFile(with: [1]) }
    #expect(throws: FileError.self) { try file.makeDirectory() }
    #expect(try SmallFile(at: file, upTo: 100) == .bytes([]))
  }

  @Test func `The files that a process has open are listed`() throws {
    try path.createFile(with: [7])
    let identity = try SystemCalls.linkStatus(of: path.text).identity
    let open = try FileHandle(forReadingFrom: path.url)
    #expect(SystemCalls.filesOpenHere()?.contains(identity) == true)
    try open.close()
    #expect(SystemCalls.filesOpenHere()?.contains(identity) == false)
    let fault = SystemFault(atCall: 1, .fail(.inputOutput))
    SystemCalls.$fault.withValue(fault) { #expect(SystemCalls.filesOpenHere() == nil) }
  }
}
