import Testing

@testable import HoldfastInspector

/// How libmicrohttpd is loaded.
@Suite struct HTTPLibraryTests {
  @Test func anAbsentLibraryIsNamedWithWhatToInstall() {
    do {
      _ = try HTTPLibrary(["libabsent-1.so.1", "libabsent-2.so.1"])
      Issue.record("it was loaded")
    } catch {
      #expect(error.code == .noLibrary)
      #expect(error.message.contains("libabsent-1.so.1"))
      #expect(error.message.contains("libabsent-2.so.1"))
      #expect(error.advice?.contains("libmicrohttpd12") == true)
    }
  }

  @Test func anotherLibraryIsRefused() {
    #if canImport(Darwin)
      let another = "/usr/lib/libz.1.dylib"
    #else
      let another = "libz.so.1"
    #endif
    do {
      _ = try HTTPLibrary([another])
      Issue.record("it was taken")
    } catch {
      #expect(error.message.contains("MHD_start_daemon"))
    }
  }

  @Test func theNextNameIsTriedWhereOneIsAbsent() throws {
    _ = try HTTPLibrary(["libabsent-1.so.1"] + HTTPLibrary.names)
  }
}
