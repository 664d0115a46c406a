import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastPackCampaign

/// The work with a pack ends at some of its calls, SQLite's own included, and the next launch finds a
/// complete generation and the user's rows, and cleans up; `make bench ONLY=packs` ends it at each one.
///
/// IB-B21: what was interrupted does not block what comes next.
@Suite(.enabled(if: SystemCallTrace.isPossible, "tracing processes needs Linux and the right to"))
struct PackCampaignTests {
  @Test(arguments: PackCampaign.Work.allCases, PackCampaign.Ending.allCases)
  func `Nothing is lost or left behind when the work with a pack ends early`(
    _ work: PackCampaign.Work, _ ending: PackCampaign.Ending
  ) throws {
    let process = Process()
    // A process can be traced by its parent's thread, and a test has none of its own.
    process.executableURL = Bundle.main.bundleURL.appending(path: "HoldfastPackCampaign")
    process.arguments = [work.rawValue, ending.rawValue, "3"]
    let directory = try HoldfastTestSupport.TemporaryDirectory()
    let (output, errors) = (directory.file("output"), directory.file("errors"))
    // Files, because a process waits while a pipe is full that is read after another one.
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let text = try Data(contentsOf: output)
    let problems = try String(contentsOf: errors, encoding: .utf8)
    try #require(process.terminationStatus == 0, "\(problems)")
    let numbers = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { Int($0) }
    try #require(numbers.count == 2)
    #expect(numbers[0] > 0, "examined states")
    #expect(numbers[1] == 0, "\(problems)")
  }
}
