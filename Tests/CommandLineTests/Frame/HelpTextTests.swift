import Testing

@testable import HoldfastTool

@Suite struct HelpTextTests {
  private func help(_ words: String..., columns: Int? = nil) throws -> String {
    guard case .help(let text) = try Harbour.tree.request(words) else { return "" }
    return text.lines(columns: columns).joined(separator: "\n")
  }

  @Test func theOverviewShowsEveryCommand() throws {
    let overview = """
      Knows a harbour.

      Usage: harbour <noun> <verb> …

      Stops of a timetable:
        stops search  Finds stops by name.
        stops nearby  Finds stops by place.

      Any database:
        db check  Checks a database.

      Other commands:
        --version, -V       Prints the version.
        help [NOUN [VERB]]  Shows help for the tool, a noun or a verb, as does --help.

      Exit codes:
        0    The command succeeded.
        1    A check found problems.
        64   The command line is invalid.
        65   A file's content is invalid.
        66   A file or folder to read is missing or unreadable.
        69   Something is busy or not available; try again later.
        70   A bug in the tool.
        73   A file or folder cannot be created.
        74   Reading or writing failed, for example on a full disk.
        130  Ended by Ctrl-C.
        141  The reader closed the output, as 'head' does.
      """
    #expect(try help() == overview)
    #expect(try help("help") == overview)
    #expect(try help("--help") == overview)
    #expect(try help("-h") == overview)
    #expect(try help("help", "help") == overview)
    #expect(try help("--json", "help", "--json") == overview)
  }

  @Test func aNounShowsItsVerbs() throws {
    let noun = """
      Stops of a timetable

      Usage: harbour stops <verb> …

      Verbs:
        search  Finds stops by name.
        nearby  Finds stops by place.

      'harbour help stops VERB' explains one.
      """
    #expect(try help("help", "stops") == noun)
    #expect(try help("stops", "help") == noun)
    #expect(try help("stops", "--help") == noun)
  }

  @Test func aVerbShowsItsParameters() throws {
    let verb = """
      Finds stops by name.

      Usage: harbour stops search DB TEXT [--limit N] [--previous OLD.db] [--dry-run] [--json]

      Arguments:
        DB    A database.
        TEXT  What to look for.

      Options:
        --limit N          Prints at most N. Otherwise 20.
        --previous OLD.db  Keeps the numbers of OLD.db.
        --dry-run          Changes nothing.
        --json             Prints JSON, one object per line.
        --help, -h         Shows this help.

      Example:
        harbour stops search harbour.db 'circ q' --limit 5
      """
    #expect(try help("help", "stops", "search") == verb)
    #expect(try help("stops", "help", "search") == verb)
    #expect(try help("stops", "search", "--help") == verb)
    #expect(try help("stops", "search", "a.db", "--nonsense", "-h") == verb)
  }

  @Test func anOptionalArgumentIsInBrackets() throws {
    #expect(
      try help("stops", "nearby", "-h").contains("Usage: harbour stops nearby LAT LON [NAME]"))
  }

  @Test func helpIsWrappedToTheTerminalWidth() throws {
    #expect(
      try help("stops", "search", "-h", columns: 48) == """
        Finds stops by name.

        Usage: harbour stops search DB TEXT [--limit N]
          [--previous OLD.db] [--dry-run] [--json]

        Arguments:
          DB    A database.
          TEXT  What to look for.

        Options:
          --limit N          Prints at most N. Otherwise
                             20.
          --previous OLD.db  Keeps the numbers of
                             OLD.db.
          --dry-run          Changes nothing.
          --json             Prints JSON, one object per
                             line.
          --help, -h         Shows this help.

        Example:
          harbour stops search harbour.db 'circ q' --limit 5
        """)
  }

  @Test(arguments: 30...80)
  func noHelpLineIsWiderThanTheTerminal(columns: Int) throws {
    for line in try help(columns: columns).split(separator: "\n") {
      // A single word may exceed the width.
      #expect(String(line).displayWidth <= columns || !line.dropFirst(6).contains(" "), "\(line)")
    }
  }

  @Test(arguments: [
    ["--help=1"], ["stops", "--help=1"], ["stops", "search", "a.db", "--help=1"],
  ])
  func helpTakesNoValue(words: [String]) throws {
    let error = try #require(throws: ToolError.self) { try Harbour.tree.request(words) }
    #expect(error.message == "'--help' takes no value, but was given '1'.")
    #expect(error.advice == "Write --help alone.")
  }

  @Test func theVersionHasAShortName() throws {
    guard case .run(let verb, _) = try Harbour.tree.request(["-V"]) else {
      Issue.record("The command line asks for a run.")
      return
    }
    #expect(verb is Version)
  }

  @Test func helpAfterTwoHyphensIsAnArgument() throws {
    guard case .run = try Harbour.tree.request(["stops", "search", "a.db", "--", "--help"]) else {
      Issue.record("The command line asks for a run.")
      return
    }
  }
}
