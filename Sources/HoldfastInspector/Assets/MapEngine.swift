package import Foundation
internal import HoldfastFiles

/// MapLibre GL JS, with which the page draws maps.
///
/// It is no part of the program: `make` and `make install` put it next to it. It is served only if it is exactly the
/// expected file, because it runs in the page.
package struct MapEngine: Sendable {
  /// The version that is expected.
  package static let version = "5.24.0"

  // Scripts/map-library compares it too.
  private static let digest = "2577e14dc2fe56da09a3dc91483db67bbd60462f1d8dfa8190074a0d5a03ab43"

  private static let name = "maplibre-gl-\(version).js"
  private static let mostBytes = 8 << 20

  private let bytes: Data?

  /// Why there is no map; `nil` when there is one.
  package let problem: String?

  /// Looks for the file.
  ///
  /// - Parameters:
  ///   - program: The program that runs.
  ///   - environment: The environment of the process, whose `HOLDFAST_MAP_LIBRARY` names another file.
  package init(
    nextTo program: URL?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    let named = environment["HOLDFAST_MAP_LIBRARY"].flatMap { $0.isEmpty ? nil : $0 }
    let places = named.map { [$0] } ?? Self.places(nextTo: program)
    for place in places {
      // One that cannot be read is not there.
      guard case .bytes(let bytes)? = try? SmallFile(at: FilePath(place), upTo: Self.mostBytes)
      else { continue }
      var hasher = SHA256()
      hasher.update(bytes)
      guard hasher.finalize().description == Self.digest else {
        self.bytes = nil
        problem = "'\(place)' is not MapLibre GL JS \(Self.version) as it is expected."
        return
      }
      self.bytes = Data(bytes)
      problem = nil
      return
    }
    bytes = nil
    problem =
      "MapLibre GL JS is not there: 'Scripts/map-library', which 'make' and 'make install' run, could not get it."
  }

  /// Whether there is a map.
  package var isThere: Bool { bytes != nil }

  /// Returns the answer to a request for one of its two parts.
  ///
  /// The worker is cut out of the file, which otherwise makes it from a blob: so a policy that allows no code but that of
  /// this server holds for the worker, too.
  ///
  /// - Parameter name: `maplibre-gl.js`, a module, or `maplibre-gl-worker.js`.
  /// - Returns: The answer; `nil` when there is no such part.
  package func response(to name: String) -> HTTPResponse? {
    guard let bytes else { return nil }
    let type = "text/javascript; charset=utf-8"
    switch name {
    case "maplibre-gl.js": return HTTPResponse(bytes, type: type)
    case "maplibre-gl-worker.js":
      guard let start = bytes.firstRange(of: Data("qr(\"shared\"".utf8))?.lowerBound,
        let end = bytes.firstRange(of: Data("qr(\"index\"".utf8))?.lowerBound, start < end
      else { return nil }
      // The file calls `qr` three times in one expression; what would follow the last comma ends it.
      let worker = Data(Self.workerStart.utf8) + bytes[start..<end] + Data("0;\n".utf8)
      var response = HTTPResponse(worker, type: type)
      response.headers.append(("Content-Security-Policy", ResponsePolicy.worker))
      return response
    default: return nil
    }
  }

  /// The code that runs the two definitions after it, as the file's own loader does in a worker.
  private static let workerStart = """
    var parts = {};
    function qr(name, _, make) {
      parts[name] = make;
      if (name === "worker") { var shared = {}; parts.shared(shared); parts.worker(shared); }
    }

    """

  /// Returns where it is: in `share/holdfast` of an installation, or in the build folder of a package.
  private static func places(nextTo program: URL?) -> [String] {
    guard let program = program?.resolvingSymlinksInPath() else { return [] }
    var folder = program.deletingLastPathComponent()
    var places = [folder.appending(path: "../share/holdfast/\(name)").standardized]
    while folder.path(percentEncoded: false) != "/" {
      if folder.lastPathComponent == ".build" {
        places.append(folder.appending(path: "inspector/\(name)"))
        break
      }
      folder = folder.deletingLastPathComponent()
    }
    return places.map { $0.path(percentEncoded: false) }
  }
}
