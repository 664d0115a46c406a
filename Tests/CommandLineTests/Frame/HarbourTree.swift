import Foundation

@testable import HoldfastTool

/// A small command tree with one of each kind of declaration.
enum Harbour {
  static let tree = CommandTree(
    name: "harbour",
    abstract: "Knows a harbour.",
    nouns: [
      Noun(name: "stops", abstract: "Stops of a timetable", verbs: [Search(), Nearby()]),
      Noun(name: "db", abstract: "Any database", verbs: [Check()]),
    ],
    verbs: [Version()])

  struct Search: Verb {
    let database = Argument("DB", "A database.", .path)
    let text = Argument("TEXT", "What to look for.", .text)
    let limit = Option(
      "--limit", "N", "Prints at most N.", .integer(in: 1...100), otherwise: 20)
    let previous = Option("--previous", "OLD.db", "Keeps the numbers of OLD.db.", .path)
    let dryRun = Flag("--dry-run", "Changes nothing.")

    var declaration: Declaration {
      Declaration(
        "search", "Finds stops by name.", database, text, limit, previous, dryRun,
        example: "harbour.db 'circ q' --limit 5")
    }

    func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
      try output.records(of: "stops") { listing in
        for number in 0..<arguments[limit] {
          try listing.write(["sid": Cell(number), "stop_name": Cell(arguments[text])])
        }
      }
      return .success
    }
  }

  struct Nearby: Verb {
    let latitude = Argument("LAT", "Degrees north.", .number(in: -90...90))
    let longitude = Argument("LON", "Degrees east.", .number(in: -180...180))
    let name = Argument(optional: "NAME", "Only this one.", .text)

    var declaration: Declaration {
      Declaration("nearby", "Finds stops by place.", latitude, longitude, name)
    }

    func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
      try output.records(of: "stops", [])
      return .success
    }
  }

  struct Check: Verb {
    let database = Argument("DB", "A database.", .text)

    var declaration: Declaration { Declaration("check", "Checks a database.", database) }

    func run(_ arguments: ParsedArguments, output: Output) throws -> ExitCode {
      switch arguments[database] {
      case "damaged.db": return .problemsFound
      case "feed.db": throw FeedRefusal()
      case "strange.db": throw UnknownError()
      default: return .success
      }
    }
  }

  /// A library error with the extension that presents it on the command line.
  struct FeedRefusal: Error {
    var message = "'stops.txt' has a stop\nwithout a name."
    var advice: String? = "Correct line 7, or leave it out."
  }

  struct UnknownError: Error, CustomStringConvertible {
    var description: String { "the tide is out" }
  }
}

extension Harbour.FeedRefusal: ReportedError {
  var exitCode: ExitCode { .badData }
  var file: String? { "stops.txt" }
  var line: Int? { 7 }
}
