public import Foundation

/// A real nginx on the loopback interface, with a folder of its own, that ends with its object.
///
/// `/` has the files of ``files``; `/whole/` has them too, but its ranges are ignored.
public final class WebServer {
  /// The folder of the files that are served.
  public let files: URL

  /// The port.
  public let port: Int

  private let process = Process()
  private let directory: TemporaryDirectory

  /// Whether this machine has the program.
  public static let isPossible: Bool = {
    do {
      _ = try WebServer()
      return true
    } catch {
      return false
    }
  }()

  struct NotStarted: Error { var said: String }

  /// Starts the server; returns when it accepts connections.
  public init() throws {
    directory = try TemporaryDirectory()
    files = directory.url.appending(path: "files")
    for name in ["files", "scratch"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: name), withIntermediateDirectories: true)
    }
    port = try FreePort.next()
    try Self.settings(port: port).write(
      to: directory.file("nginx.conf"), atomically: true, encoding: .utf8)
    let words = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["nginx", "-p", directory.url.path, "-e", "stderr", "-c", "nginx.conf"]
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin"]
    process.standardError = words
    process.standardOutput = FileHandle.nullDevice
    try LastingThread.run { [process] in try process.run() }
    // It listens before it writes this line.
    var said = ""
    while !said.contains("start worker process") {
      let more = words.fileHandleForReading.availableData
      guard !more.isEmpty else { throw NotStarted(said: said) }
      said += String(decoding: more, as: UTF8.self)
    }
    // A full pipe would stop it.
    words.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  deinit {
    process.terminate()
    // The closure throws nothing.
    try? LastingThread.run { [process] in process.waitUntilExit() }
  }

  /// Returns the URL of a file.
  ///
  /// - Parameter path: Its path below ``files``.
  /// - Returns: An http URL.
  public func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)/\(path)") ?? files
  }

  private static func settings(port: Int) -> String {
    """
    daemon off;
    worker_processes 1;
    user root;
    pid nginx.pid;
    error_log stderr notice;
    events { worker_connections 64; }
    http {
      access_log off;
      sendfile on;
      client_body_temp_path scratch;
      proxy_temp_path scratch;
      fastcgi_temp_path scratch;
      uwsgi_temp_path scratch;
      scgi_temp_path scratch;
      server {
        listen 127.0.0.1:\(port);
        root files;
        location /whole/ { alias files/; max_ranges 0; }
      }
    }
    """
  }
}
