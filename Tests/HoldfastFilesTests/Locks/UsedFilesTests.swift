import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

/// The files that processes use, from the kernel's tables.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks"), "no table of locks"))
struct UsedFilesTests {
  @Test func anOpenFileIsUsed() throws {
    let folder = try TemporaryDirectory()
    let (open, closed) = (folder.file("open"), folder.file("closed"))
    for url in [open, closed] { try Data([1]).write(to: url) }
    let file = try FileHandle(forReadingFrom: open)
    let used = try #require(UsedFiles())
    #expect(try used.mayContain(SystemCalls.status(of: open.path)))
    #expect(try !used.mayContain(SystemCalls.status(of: closed.path)))
    try file.close()
  }

  @Test func aFileOfAnotherProcessIsUsed() throws {
    let folder = try TemporaryDirectory()
    let url = folder.file("a")
    try Data([1]).write(to: url)
    let process = Process()
    process.executableURL = URL(filePath: "/bin/cat")
    let input = try FileHandle(forReadingFrom: url)
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    // Its output is full before the file's end, so it waits with the file open.
    try Data(count: 1 << 20).write(to: url)
    try process.run()
    try input.close()
    defer { process.terminate() }
    _ = try output.fileHandleForReading.read(upToCount: 1)
    let used = try #require(UsedFiles())
    #expect(try used.mayContain(SystemCalls.status(of: url.path)))
  }
}
