internal import CInspectorPage
internal import Foundation
internal import HoldfastFiles

/// The files of the page.
///
/// They are compiled into the program. With `HOLDFAST_INSPECTOR_PAGE` those of a folder are served, so that a change
/// shows after a reload.
package struct PageFiles: Sendable {
  private let folder: String?

  /// The largest file of a folder that is served, in bytes.
  private static let mostBytes = 4 << 20

  /// Finds the files.
  ///
  /// - Parameter environment: The environment of the process.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    folder = environment["HOLDFAST_INSPECTOR_PAGE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The names of the files that are compiled into the program, in order.
  package static let names: [String] = content.map(\.name)

  private static let content: [(name: String, bytes: Data)] = (0..<inspector_page_count()).map {
    let file = unsafe inspector_page($0)
    return unsafe (String(cString: file.name), Data(bytes: file.bytes, count: file.size))
  }

  /// Returns the answer to a request for a file.
  ///
  /// - Parameter path: The parts of its path; none of them is `..`.
  /// - Returns: The answer; `nil` when there is no such file.
  package func response(to path: [String]) -> HTTPResponse? {
    let isFolder = path.isEmpty || path == [""]
    let name = isFolder ? "index.html" : path.joined(separator: "/")
    guard let bytes = bytes(of: name) else { return nil }
    var response = HTTPResponse(bytes, type: Self.type(of: name))
    response.headers.append(("Content-Security-Policy", ResponsePolicy.page))
    return response
  }

  private func bytes(of name: String) -> Data? {
    guard let folder else {
      return Self.content.first { $0.name.utf8.elementsEqual(name.utf8) }?.bytes
    }
    let path = FilePath(folder + "/" + name)
    // A file that cannot be read is none that can be served.
    guard case .bytes(let bytes)? = try? SmallFile(at: path, upTo: Self.mostBytes) else {
      return nil
    }
    return Data(bytes)
  }

  /// Returns the type of a file by the end of its name.
  private static func type(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "json": "application/json; charset=utf-8"
    case "svg": "image/svg+xml"
    case "png": "image/png"
    case "woff2": "font/woff2"
    default: "text/plain; charset=utf-8"
    }
  }
}
