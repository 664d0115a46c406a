import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import HoldfastPacks
@testable import HoldfastTool

/// What the tool prints of an installation.
@Suite struct PackRecordTests {
  /// Returns the report of an installation that was complete.
  private func report() async throws -> InstallReport {
    let place = try FestivalPacks()
    try place.build("1")
    var configuration = PackStore.Configuration()
    configuration.container = Container(at: place.directory.file("Festival.xcappdata/AppData"))
    let store = PackStore(try PackName("Packs"), configuration: configuration)
    return try await store.install(
      try PackName("map"), from: .folder(place.directory.file("pack-1")))
  }

  private func printed(_ report: InstallReport) throws -> (ExitCode, [String: Any]) {
    let transcript = try Transcript()
    let status = try Output(.json, console: transcript.console).report(report)
    let object = try JSONSerialization.jsonObject(with: Data(try transcript.output.utf8))
    return (status, try #require(object as? [String: Any]))
  }

  @Test func `A complete installation has no problems`() async throws {
    let report = try await report()
    let (status, object) = try printed(report)
    #expect(status == .success)
    for key in ["older_seeds", "kept_files", "removed", "problems"] {
      #expect((object[key] as? [String])?.isEmpty == true, "\(key)")
    }
    // The clean-up kept what is current.
    #expect(object["kept"] as? [String?] == [report.generation?.name])
  }

  @Test func `What an installation did not do is printed, and ends with 1`() async throws {
    var report = try await report()
    let unfinished = FileError.couldNotRead(FilePath("/fair/links"), .inputOutput)
    report.unfinished = unfinished
    report.olderSeeds = ["program.sqlite"]
    report.exclusions = [.init(path: "styles", isExcluded: false, problem: "It was not excluded.")]
    var cleaning = CleaningReport(problem: "It was not completed.")
    cleaning.kept = [
      .init(name: "1-00000000", reason: .previous),
      .init(name: "2-00000000", reason: .failed("No.")),
    ]
    report.cleaning = cleaning
    let (status, object) = try printed(report)
    #expect(status == .problemsFound)
    #expect(object["older_seeds"] as? [String] == ["program.sqlite"])
    #expect(object["kept"] as? [String] == ["1-00000000", "2-00000000"])
    #expect(
      object["problems"] as? [String] == [
        "It was not excluded.", unfinished.message, "It was not completed.",
        "'2-00000000' was kept: No.",
      ])
  }
}
