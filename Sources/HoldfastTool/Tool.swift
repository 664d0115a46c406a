import Foundation
import HoldfastFiles

extension CommandTree {
  /// The tool's nouns and verbs; each verb is in a file of its own.
  static let holdfast = CommandTree(
    name: "holdfast",
    abstract: "Prepares and inspects the data that apps carry in their containers.",
    nouns: [
      Noun(
        name: "transit", abstract: "Timetables, searched offline",
        verbs: [
          TransitImport(), TransitSearch(), TransitStops(), TransitRoutes(), TransitReport(),
          TransitDepartures(), TransitArrivals(), TransitTrip(), TransitTrips(), TransitDays(),
          TransitNearby(), TransitValidity(), TransitLive(), TransitJourney(), TransitExport(),
          TransitMap(),
        ]),
      Noun(
        name: "db", abstract: "Any SQLite database",
        verbs: [
          DatabaseCheck(), DatabaseQuery(), DatabaseDump(), DatabaseLocks(), DatabaseWatch(),
          DatabaseHistory(),
          DatabaseBackup(),
        ]),
      Noun(
        name: "files", abstract: "The downloaded files of an app, in a copied container",
        verbs: [
          FilesStatus(), FilesAdopt(), FilesRepair(), FilesVerify(), FilesOrphans(),
        ]),
      Noun(
        name: "map", abstract: "Map tiles and styles",
        verbs: [MapInfo(), MapTile(), MapCheck(), MapStyleRender(), MapConvert(), MapExtract()]),
      Noun(
        name: "pack", abstract: "Data that is shipped with an app",
        verbs: [
          PackBuild(), PackInspect(), PackInstall(), PackList(), PackVerify(), PackSwitch(),
          PackRollback(), PackClean(),
        ]),
    ],
    verbs: [Demo(), Doctor(), Inspect(), Completions(), Manual(), Version()])
}

// Not named Holdfast, because that is the name of the database module.
@main
enum Tool {
  static func main() async {
    Terminal.occupyClosedStandardDescriptors()
    Terminal.ignoreBrokenPipes()
    let console = Console.standard()
    let interruption = Interruption(console)
    let words = Array(CommandLine.arguments.dropFirst())
    let code = await CommandTree.holdfast.run(words, console: console)
    console.waitIfInterrupted()
    withExtendedLifetime(interruption) { exit(code.rawValue) }
  }
}
