import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTransit

/// `holdfast transit map DB OUT.svg [--type TYPE] [--routes NAMES] [--size N] [--replace]`.
struct TransitMap: Verb {
  private let database = Argument.timetable
  private let picture = Argument("OUT.svg", "The picture to create.", .path)
  private let type = RouteChoice.option
  private let routes = Option(
    "--routes", "NAMES", "Only these routes, by route_short_name or route_id: 1,2,M4.", .text)
  private let size = Option(
    "--size", "N", "The longer side of the map, in pixels.", .integer(in: 100...10_000),
    otherwise: 1200)
  private let replace = Flag("--replace", "Replaces OUT.svg if it exists and is a picture.")

  var declaration: Declaration {
    Declaration(
      "map", "Draws the network of a timetable in its routes' colors.", database, picture, type,
      routes, size, replace, example: "harbour.db harbour.svg")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let out = arguments[picture]
    guard ["", "svg"].contains(out.pathExtension.lowercased()) else {
      throw ToolError.noSVG(out.relativePath)
    }
    try out.checkIsPlaceForFile()
    try Self.refuseExistingFile(at: out, replaces: arguments[replace])
    let timetable = try Timetable(readingFileAt: arguments[database])
    defer { timetable.reader.closeIgnoringErrors() }
    let names = arguments[routes].map { RouteNames($0) }
    let choice = arguments[type]
    let size = arguments[size]
    let (network, unknownNames) = try await timetable.reader.read { db in
      let network = try TransitNetwork(db, size: size) { route in
        (choice?.includes(route.routeType) ?? true) && (names?.includes(route) ?? true)
      }
      let unknownNames = try names.map { $0.unknown(among: try Route.fetchAll(db)) } ?? []
      return (network, unknownNames)
    }
    guard let drawn = NetworkPicture(network) else {
      throw ToolError.nothingToDraw(
        arguments[database].relativePath, isChosen: choice != nil || names != nil)
    }
    let bytes = Array(drawn.document.utf8)
    // Not between the file and the removal of its lock: a next run without `--replace` looks at neither.
    try output.console.undoing {
      try Self.write(bytes, to: out, replaces: arguments[replace])
    }
    if !unknownNames.isEmpty {
      let list = unknownNames.joined(separator: "', '").escapingControls
      output.note("No route has the short name or the route_id '\(list)'.")
    }
    try output.record([
      "output": .text(out.relativePath), "bytes": Cell(bytes.count), "width": Cell(drawn.width),
      "height": Cell(drawn.height), "routes": Cell(Set(network.ways.map(\.route.rid)).count),
      "stops": Cell(Set(network.ways.flatMap(\.stops)).count),
      "stops_left_out": Cell(drawn.leftOutCount), "lines": Cell(drawn.pieceCount),
    ])
    return .success
  }

  /// Writes the picture, unless a file that may not be replaced is there before it is moved to its place.
  static func write(_ bytes: [UInt8], to out: URL, replaces: Bool) throws {
    try AtomicReplace(at: out).write { staging in
      try FilePath(of: staging).createFile(with: bytes)
    } verify: { _ in
      // Examined again, because a file may have appeared while the network was read and drawn.
      try refuseExistingFile(at: out, replaces: replaces)
    }
  }

  /// Refuses to replace a file that is not to be replaced, or is not a picture.
  private static func refuseExistingFile(at out: URL, replaces: Bool) throws {
    let path = try FilePath(of: out)
    guard try path.exists() else { return }
    guard replaces else { throw ToolError.pictureExists(out.relativePath) }
    guard try isPicture(path) else { throw ToolError.notAPicture(out.relativePath) }
  }

  /// Returns whether a file is a picture of this kind, and not a user's file of that name.
  private static func isPicture(_ path: FilePath) throws(FileError) -> Bool {
    do throws(Errno) {
      guard try SystemCalls.status(of: path.text).kind == .regular else { return false }
      let file = try SystemCalls.openFile(path.text, for: .readPlain)
      let start = try SystemCalls.readBytes(file, at: 0, count: 5)
      return ["<svg ", "<?xml"].contains { start == Array($0.utf8) }
    } catch {
      throw .couldNotRead(path, error)
    }
  }
}

/// The names of routes that a picture is limited to: short names and identifiers.
struct RouteNames: Sendable {
  private let names: [ExactText]

  /// Reads a list that is separated by commas.
  init(_ list: String) {
    var seen: Set<ExactText> = []
    names = list.utf8.split(separator: UInt8(ascii: ",")).map {
      ExactText(String(Substring($0)))
    }.filter { seen.insert($0).inserted }
  }

  /// Returns whether a route has one of the names.
  func includes(_ route: Route) -> Bool {
    [route.routeShortName, route.routeID].contains { names.contains(ExactText($0)) }
  }

  /// Returns the names that no route has, in the order of the list.
  func unknown(among routes: [Route]) -> [String] {
    let known = Set(routes.flatMap { [ExactText($0.routeShortName), ExactText($0.routeID)] })
    return names.filter { !known.contains($0) }.map(\.text)
  }
}
