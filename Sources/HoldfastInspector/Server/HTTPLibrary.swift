internal import CMicroHTTPD

/// libmicrohttpd, which is loaded when the first server is started.
// Sendable because nobody changes the functions once they are found, and any thread may call them.
@safe struct HTTPLibrary: @unchecked Sendable {
  /// Where the library is looked for. Homebrew's folders are none in which the loader of a Mac looks.
  #if canImport(Darwin)
    static let names = ["", "/opt/homebrew/lib/", "/usr/local/lib/"]
      .map { $0 + "libmicrohttpd.12.dylib" }
  #else
    static let names = ["libmicrohttpd.so.12"]
  #endif

  /// The library of this system, or why there is none.
  static let installed = Result { () throws(InspectorError) in try HTTPLibrary(names) }

  /// The functions.
  let functions: http_library

  /// Loads the library.
  ///
  /// - Parameter names: File names, of which the first that can be loaded is taken.
  /// - Throws: ``InspectorError`` with `.noLibrary` when none can.
  init(_ names: [String]) throws(InspectorError) {
    var functions = http_library()
    var reasons: [String] = []
    for name in names {
      guard let reason = unsafe http_load(&functions, name) else {
        self.functions = functions
        return
      }
      unsafe reasons.append(String(cString: reason))
    }
    throw .noLibrary(reasons: reasons)
  }
}
