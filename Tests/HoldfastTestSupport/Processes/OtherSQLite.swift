import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Python's SQLite in another process, which performs one request after another.
///
/// It does not use Holdfast, opens the given files and keeps them open until it is asked to close
/// them. It does not wait for locks unless the SQL says so.
public final class OtherSQLite {
  /// An error of SQLite, such as `SQLITE_BUSY_SNAPSHOT`, or another failure in the process.
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    /// The name of SQLite's extended code, or the type of Python's error.
    public var name: String
    /// The message of the error.
    public var message: String

    /// The name and the message.
    public var description: String { "\(name): \(message)" }
  }

  private struct Answer: Decodable {
    var rows: [[String?]]?
    var refusal: String?
    var message: String?
  }

  /// A Boolean value that indicates whether there is a Python with SQLite.
  public static let isThere: Bool = {
    do {
      return try OtherSQLite().run("SELECT 1", on: ":memory:") == [["1"]]
    } catch {
      return false
    }
  }()

  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private var unread = Data()

  private static let script = """
    import fcntl, json, sqlite3, struct, sys
    connections, files = {}, []
    def connection(name, path):
        if name not in connections:
            connections[name] = sqlite3.connect(
                path, timeout=0, isolation_level=None, uri=path.startswith('file:'))
        return connections[name]
    for line in sys.stdin:
        command = json.loads(line)
        try:
            rows = []
            if 'touch' in command:
                with open(command['touch'], 'rb') as file: file.read(1)
            elif 'lock' in command:
                files.append(open(command['lock'], 'r+b'))
                # F_OFD_SETLK, and the fields of struct flock
                fcntl.fcntl(files[-1], 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 3, 2, 0))
            elif 'close' in command:
                connections.pop(command['close']).close()
            else:
                found = connection(command['name'], command['path']).execute(command['sql']).fetchall()
                rows = [[None if cell is None else str(cell) for cell in row] for row in found]
            answer = {'rows': rows}
        except Exception as error:
            answer = {'refusal': getattr(error, 'sqlite_errorname', type(error).__name__),
                      'message': str(error)}
        print(json.dumps(answer), flush=True)
    """

  /// Starts the process.
  ///
  /// - Throws: A `CocoaError` when there is no Python.
  public init() throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.script]
    process.environment = ConnectionKeys.environment
    process.standardInput = commands
    process.standardOutput = answers
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    kill()
  }

  /// The process identifier.
  public var processIdentifier: Int32 { process.processIdentifier }

  /// Runs one statement.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - path: The path or the URI of the database, opened by the first statement on it.
  ///   - name: A name that distinguishes several connections to the file.
  /// - Returns: The rows, with all values as text.
  /// - Throws: ``Refusal``.
  @discardableResult
  public func run(_ sql: String, on path: String, as name: String = "") throws -> [[String?]] {
    try perform(["name": name + path, "path": path, "sql": sql])
  }

  /// Closes the connection that ``run(_:on:as:)`` opened.
  public func close(_ path: String, as name: String = "") throws {
    _ = try perform(["close": name + path])
  }

  /// Opens a file without SQLite, reads a byte and closes it.
  public func touch(_ path: String) throws {
    _ = try perform(["touch": path])
  }

  /// Locks bytes 3 and 4 of a file with a Linux open file description lock; the file stays open.
  public func lockOpenFile(_ path: String) throws {
    _ = try perform(["lock": path])
  }

  /// Stops the process.
  public func halt() {
    _ = send(SIGSTOP)
  }

  /// Continues a stopped process.
  public func resume() {
    _ = send(SIGCONT)
  }

  /// Kills the process and waits until it has ended.
  public func kill() {
    guard process.isRunning else { return }
    _ = send(SIGKILL)
    process.waitUntilExit()
  }

  private func send(_ signal: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.kill(process.processIdentifier, signal)
    #else
      Glibc.kill(process.processIdentifier, signal)
    #endif
  }

  private func perform(_ words: [String: String]) throws -> [[String?]] {
    let line = try JSONEncoder().encode(words) + Data("\n".utf8)
    try commands.fileHandleForWriting.write(contentsOf: line)
    let answer = try JSONDecoder().decode(Answer.self, from: nextLine())
    if let rows = answer.rows { return rows }
    throw Refusal(name: answer.refusal ?? "", message: answer.message ?? "")
  }

  private func nextLine() throws -> Data {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[(end + 1)...]) }
        return unread[..<end]
      }
      let more = answers.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Refusal(name: "ended", message: "the process is gone") }
      unread += more
    }
  }
}
