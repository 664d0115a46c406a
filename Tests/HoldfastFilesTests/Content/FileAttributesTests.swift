import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@Suite struct FileAttributesTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func exclusionFromBackupsIsSetReadAndReset() throws {
    let file = directory.file("with spaces and 50%41")
    try Data("x".utf8).write(to: file)
    for url in [file, directory.url] {
      #expect(try !FileAttributes(of: url).isExcludedFromBackup)
      try FileAttributes(isExcludedFromBackup: true).set(on: url)
      #expect(try FileAttributes(of: url).isExcludedFromBackup)
      try FileAttributes().set(on: url)
      try FileAttributes().set(on: url)
      #expect(try !FileAttributes(of: url).isExcludedFromBackup)
    }
  }

  @Test func aMissingFileHasNoAttributes() {
    let reading = #expect(throws: FileError.self) { try FileAttributes(of: directory.file("no")) }
    #expect(reading?.code == .notFound)
    let setting = #expect(throws: FileError.self) {
      try FileAttributes(isExcludedFromBackup: true).set(on: directory.file("no"))
    }
    #expect(setting?.code == .notFound)
  }

  #if !canImport(Darwin)
    /// SS-B22: a failure was only logged, so that a folder was backed up without notice.
    @Test func anExclusionThatDoesNotStickIsAnError() throws {
      for url in [directory.file("x"), directory.file("folder")] {
        if url.lastPathComponent == "x" {
          try Data("x".utf8).write(to: url)
        } else {
          try SystemCalls.makeDirectory(url.path)
        }
        let path = url.path
        // The second call reads back what the first one has set.
        let fault = SystemFault(
          atCall: 2,
          .overtake {
            SystemCalls.$fault.withValue(nil) {
              try? SystemCalls.removeAttribute("user.xdg.robots.backup", of: path)
            }
          })
        let error = SystemCalls.$fault.withValue(fault) {
          #expect(throws: FileError.self) {
            try FileAttributes(isExcludedFromBackup: true).set(on: url)
          }
        }
        #expect(error?.code == .unsupported)
        #expect(fault.callsSeen == [.setxattr, .getxattr])
      }
    }

    @Test func aVolumeWithoutAttributesFailsOnlyWhenTheyAreNeeded() throws {
      let file = directory.file("x")
      try Data("x".utf8).write(to: file)
      let fault = SystemFault(atCall: 1, .failFromHere(.notSupported))
      try SystemCalls.$fault.withValue(fault) {
        #expect(try !FileAttributes(of: file).isExcludedFromBackup)
        try FileAttributes().set(on: file)
        let error = #expect(throws: FileError.self) {
          try FileAttributes(isExcludedFromBackup: true).set(on: file)
        }
        #expect(error?.code == .unsupported)
      }
    }
  #endif
}
