import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Completions as the shells themselves produce them.
@Suite struct CompletionTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try Data().write(to: directory.file("harbour.db"))
    for shell in ["bash", "zsh", "fish"] {
      let made = try ToolProcess.run("completions", shell)
      try #require(made.status == 0)
      let name = shell == "zsh" ? "_holdfast" : "holdfast.\(shell)"
      try Data(made.output.utf8).write(to: directory.file(name))
    }
    // The shells complete only an existing command.
    try FileManager.default.createSymbolicLink(
      at: directory.file("holdfast"), withDestinationURL: ToolProcess.executable)
  }

  private static func shell(_ name: String) -> URL? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
  }

  private static let bash = shell("bash")
  private static let zsh = shell("zsh")
  private static let fish = shell("fish")

  /// A typed line and the words that are offered.
  private static let lines = [
    ("holdfast tra", ["transit"]),
    ("holdfast transit s", ["search", "stops"]),
    ("holdfast transit stops harbour.db --t", ["--type"]),
    ("holdfast transit stops harbour.db --type sta", ["station"]),
    ("holdfast completions z", ["zsh"]),
    ("holdfast help d", ["db", "demo", "doctor"]),
    ("holdfast help transit se", ["search"]),
    ("holdfast --", ["--help", "--version"]),
    ("holdfast transit --", ["--help"]),
    ("holdfast completions --", ["--json", "--help"]),
  ]

  @Test(
    .enabled(if: bash != nil, "bash is not installed."), arguments: lines)
  func bashCompletes(line: String, offered: [String]) throws {
    let words = line.split(separator: " ").map(String.init)
    let script = """
      source holdfast.bash
      COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
      _holdfast
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let answer = try ToolProcess.run(try #require(Self.bash), ["-c", script], in: directory.url)
    #expect(answer.output.split(separator: "\n").map(String.init) == offered, "\(answer.errors)")
  }

  @Test(
    .enabled(if: fish != nil, "fish is not installed."),
    arguments: lines + [("holdfast db check har", ["harbour.db"])])
  func fishCompletes(line: String, offered: [String]) throws {
    let script = "source holdfast.fish; complete -C '\(line)'"
    let answer = try ToolProcess.run(
      try #require(Self.fish), ["--no-config", "-c", script],
      environment: ["PATH": "\(directory.url.path):/usr/bin:/bin", "HOME": directory.url.path],
      in: directory.url)
    let words = answer.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    // fish sorts what it offers.
    #expect(words.map(String.init) == offered.sorted(), "\(answer.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func shortOptionsAreInEachScript(shell: String) throws {
    let script = try ToolProcess.run("completions", shell).output
    for option in CommandTree.holdfast.rootOptions.compactMap(\.shortName) {
      let word = shell == "fish" ? "-s \(option.dropFirst()) " : option
      #expect(script.contains(word), "\(option)")
    }
  }

  /// Types a line and a tab, and ends when the terminal shows the expected text.
  private static let typist = """
    import os, pty, re, select, sys, time
    shell, setup, line, expected = sys.argv[1:5]
    child, terminal = pty.fork()
    if child == 0:
        os.execv(shell, [shell] + sys.argv[5:])
    def shown_until(text):
        shown, end = "", time.monotonic() + 60
        while text not in shown:
            if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
                break
            shown += os.read(terminal, 65536).decode(errors="replace")
            # What moves the cursor, what gives a slow terminal time to do so, and the bell.
            shown = re.sub(r"\\x1b\\[[0-9;?]*[A-Za-z]|\\0|\\x07", "", shown)
        return shown
    os.write(terminal, (setup + "; echo rea''dy\\n").encode())
    shown_until("ready\\r\\n")
    os.write(terminal, (line + "\\t").encode())
    shown = shown_until(expected)
    print(shown)
    os.close(terminal)
    sys.exit(0 if expected in shown else 1)
    """

  @Test(
    .enabled(if: bash != nil && TerminalTests.python != nil, "bash or Python 3 is not installed."))
  func bashCompletesFiles() throws {
    let shown = try type(
      "holdfast db check har", expecting: "holdfast db check harbour.db",
      in: try #require(Self.bash), ["--norc", "--noprofile", "-i"], "source ./holdfast.bash")
    #expect(shown.status == 0, "\(shown.output)")
  }

  @Test(
    .enabled(if: zsh != nil && TerminalTests.python != nil, "zsh or Python 3 is not installed."),
    arguments: [
      ("holdfast tra", "holdfast transit"), ("holdfast transit sea", "holdfast transit search"),
      ("holdfast transit stops harbour.db --t", "holdfast transit stops harbour.db --type"),
      ("holdfast transit stops harbour.db --type sta", "harbour.db --type station"),
      ("holdfast db check har", "holdfast db check harbour.db"),
      ("holdfast completions z", "holdfast completions zsh"),
      ("holdfast help tra", "holdfast help transit"),
      ("holdfast help transit sea", "holdfast help transit search"),
      ("holdfast --v", "holdfast --version"), ("holdfast transit --h", "holdfast transit --help"),
    ])
  func zshCompletes(line: String, expected: String) throws {
    let shown = try type(
      line, expecting: expected, in: try #require(Self.zsh), ["-f", "-i"],
      "fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; PS1='> '")
    #expect(shown.status == 0, "\(shown.output)")
  }

  private func type(
    _ line: String, expecting expected: String, in shell: URL, _ words: [String], _ setup: String
  ) throws -> ToolProcess.Result {
    let python = try #require(TerminalTests.python)
    return try ToolProcess.run(
      URL(filePath: python), ["-c", Self.typist, shell.path, setup, line, expected] + words,
      environment: [
        "PATH": "\(directory.url.path):/usr/bin:/bin", "HOME": directory.url.path, "TERM": "dumb",
      ],
      in: directory.url)
  }
}
