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
