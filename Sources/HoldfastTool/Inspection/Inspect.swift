import Foundation
import HoldfastFiles
import HoldfastInspector

/// `holdfast inspect PATH [--port N] [--no-open] [--once]`.
struct Inspect: Verb {
  private let path = Argument(
    "PATH",
    "A container, a folder, a database, a tileset or a timetable; nothing of it is changed.", .path)
  private let port = Option(
    "--port", "N", "The port on this machine; otherwise any free one.",
    .integer(in: 1...65_535))
  private let noOpen = Flag("--no-open", "Only prints the address, and opens no browser.")
  private let once = Flag(
    "--once", "Prints what there is, and ends; no page is served.")

  var declaration: Declaration {
    Declaration(
      "inspect",
      "Shows what a container holds, on a page that this machine serves until Ctrl-C.",
      path, port, noOpen, once, example: "Samples --once")
  }

  func run(_ arguments: ParsedArguments, output: Output) async throws -> ExitCode {
    let inspection = try Inspection(of: arguments[path], console: output.console)
    let inspector = Inspector(of: inspection)
    if arguments[once] {
      defer { inspector.close() }
      try output.inventory(inspector.overview())
      return .success
    }
    output.console.atEnd { inspector.close() }
    let server: InspectorServer
    do {
      server = try InspectorServer(port: UInt16(clamping: arguments[port] ?? 0)) { request in
        inspector.response(to: request)
      }
    } catch {
      inspector.close()
      throw ToolError.notServed(error)
    }
    let address = server.url.absoluteString
    switch output.format {
    case .json: try output.record(["url": .text(address), "port": Cell(Int(server.port))])
    case .table, .csv:
      try output.line(address)
      output.note("The page is served to this machine alone until you press Ctrl-C.")
    }
    try output.console.flush()
    if !arguments[noOpen], output.format == .table, output.console.output.columns != nil {
      // One that does not open is on the terminal to be clicked.
      if let page = try? inspection.redirection(to: address) { Browser.open(page) }
    }
    // A signal ends the process (Interruption).
    while true { try await Task.sleep(for: .seconds(3600)) }
  }
}

/// The user's browser.
private enum Browser {
  /// Opens a page.
  static func open(_ page: URL) {
    #if os(macOS)
      let program = "/usr/bin/open"
    #else
      let program = "/usr/bin/xdg-open"
    #endif
    guard FileManager.default.isExecutableFile(atPath: program) else { return }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = [page.absoluteString]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Its address was printed.
    try? process.run()
  }
}

extension Output {
  /// Prints what is inspected: a line for each item, or the whole as one object with `--json`.
  fileprivate func inventory(_ overview: OutputRecord) throws {
    guard format != .json else { return try record(overview) }
    let items = overview.fields.first { $0.key == "items" }?.cell
    guard case .list(let cells)? = items else { return }
    let keys: Set = ["kind", "path", "bytes", "mode", "note"]
    try records(
      of: "databases, tilesets, timetables or packs", as: TextTable.Layout(keys: keys),
      cells.compactMap { if case .record(let record) = $0 { record } else { nil } })
  }
}
