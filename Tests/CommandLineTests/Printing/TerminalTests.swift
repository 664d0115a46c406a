import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// The output that is shown only on a terminal.
@Suite struct TerminalTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Runs a program on a terminal of 100 columns as its input, output and errors.
  private static let terminal = """
    import fcntl, os, pty, struct, sys, termios
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = os.fork()
    if process == 0:
        os.close(parent)
        os.login_tty(child) if hasattr(os, "login_tty") else [os.dup2(child, n) for n in (0, 1, 2)]
        os.execv(sys.argv[1], sys.argv[1:])
    os.close(child)
    while True:
        try:
            data = os.read(parent, 65536)
        except OSError:
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
    """

  private func runOnTerminal(_ words: String...) throws -> ToolProcess.Result {
    try Self.run(words, in: place.folder)
  }

  /// Runs the tool on a terminal.
  static func run(
    _ words: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> ToolProcess.Result {
    let python = try #require(Self.python)
    return try ToolProcess.run(
      URL(filePath: python), ["-c", Self.terminal, ToolProcess.executable.path] + words,
      environment: environment, in: folder)
  }

  @Test(.enabled(if: python != nil, "Python 3 opens the pseudo-terminal."))
  func aBarShowsTheProgressAndIsErased() throws {
    let made = try runOnTerminal("transit", "import", Workplace.sample, "new.db")
    #expect(made.status == 0)
    let bars = made.output.matches(of: /\rImporting port-merrow \[[#-]{30}\] +\d+%/)
    #expect(!bars.isEmpty)
    // The bar is erased before the first line of the result.
    #expect(made.output.contains(/\r\x1B\[Koutput +new\.db/))
    let result = made.output.components(separatedBy: "\r\u{1B}[Koutput").last ?? ""
    #expect(!result.contains("["))
  }

  @Test(.enabled(if: python != nil, "Python 3 opens the pseudo-terminal."))
  func jsonOutputHasNoBarEvenOnATerminal() throws {
    let made = try runOnTerminal("transit", "import", Workplace.sample, "new.db", "--json")
    #expect(made.status == 0)
    #expect(made.output.hasPrefix(#"{"output":"new.db""#))
    #expect(!made.output.contains("\u{1B}"))
  }

  @Test func aPipeHasNoBar() throws {
    let made = try place.run("transit", "import", Workplace.sample, "new.db")
    #expect(made.status == 0)
    #expect(made.errors == "")
    #expect(!made.output.contains("\u{1B}"))
  }

  @Test(.enabled(if: python != nil, "Python 3 opens the pseudo-terminal."))
  func headingsAreBoldUnlessTheUserWantsNoColor() throws {
    let words = ["transit", "departures", "harbour.db", "CQ", "--at", "2026-07-24T08:00"]
    func shown(_ environment: [String: String]) throws -> String {
      try Self.run(words, in: place.folder, environment: environment).output
    }
    let colored = try shown(["NO_COLOR": "", "TERM": "xterm"])
    #expect(colored.contains("\r\n\u{1B}[1mFriday 2026-07-24, UTC+12:00\u{1B}[0m\r\n"))
    for environment in [["NO_COLOR": "1", "TERM": "xterm"], ["NO_COLOR": "", "TERM": "dumb"]] {
      let plain = try shown(environment)
      #expect(plain.contains("\r\nFriday 2026-07-24, UTC+12:00\r\ndeparture "))
      #expect(!plain.contains("\u{1B}"))
    }
    let piped = try ToolProcess.run(words: words, in: place.folder)
    #expect(!piped.output.contains("\u{1B}"))
  }

  @Test(.enabled(if: python != nil, "Python 3 opens the pseudo-terminal."))
  func csvIsEscapedOnATerminalOnly() throws {
    let words = ["db", "query", "harbour.db", "SELECT char(27) || '[2J' AS x", "--csv"]
    let shown = try Self.run(words, in: place.folder)
    #expect(shown.output == "x\r\n\"\\u001b[2J\"\r\n")
    #expect(try ToolProcess.run(words: words, in: place.folder).output == "x\n\"\u{1B}[2J\"\n")
  }

  @Test(.enabled(if: python != nil, "Python 3 opens the pseudo-terminal."))
  func noLineIsWiderThanTheTerminal() throws {
    let routes = "route_id,agency_id,route_short_name,route_long_name,route_type\nR,N,,L,3\n"
    try place.writeFeed("feed", ["routes.txt": routes])
    for words in [
      ["transit", "report", "feed"], ["transit", "stops", "harbour.db"],
      ["transit", "routes", "harbour.db"], ["db", "query", "harbour.db", "SELECT * FROM stops"],
      ["demo", "--container", "stage"],
    ] {
      let python = try #require(Self.python)
      let shown = try ToolProcess.run(
        URL(filePath: python), ["-c", Self.terminal, ToolProcess.executable.path] + words,
        in: place.folder)
      #expect(shown.status == 0)
      let lines = shown.output.components(separatedBy: "\r\n")
        .map { $0.components(separatedBy: "\u{1B}[K").last ?? "" }
        .map { $0.replacing(#/\x1B\[[0-9]+m/#, with: "") }
      #expect(lines.count > 2)
      // A command has the path of the tool, which is quoted where the clone's has a space.
      for line in lines where !line.contains(#/holdfast'? /#) {
        #expect(line.displayWidth <= 100, "\(line)")
      }
    }
  }
}
