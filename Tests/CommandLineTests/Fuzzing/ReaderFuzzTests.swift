import Foundation
import HoldfastMaps
import HoldfastTestSupport
import Testing

/// Readers of outside bytes end with a value or an error, whatever the bytes are.
///
/// Each runs in a process of its own, so that a trap is the failure of one reader. `make fuzz ONLY=json`
/// feeds one for 20 minutes; `HOLDFAST_SEED` repeats the case that a failure names.
@Suite struct ReaderFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment

  private static var readers: [FuzzedReader] {
    guard let only = environment["HOLDFAST_FUZZED"], !only.isEmpty else {
      return FuzzedReader.allCases
    }
    return FuzzedReader.allCases.filter { $0.rawValue == only }
  }

  /// The processor time that no case takes, in seconds: a process that is stopped for a while has none.
  private static let limit = 20.0

  /// The time of which processors have worked for this process, in seconds.
  ///
  /// - SeeAlso: <https://pubs.opengroup.org/onlinepubs/9799919799/functions/clock.html>, which counts
  ///   microseconds everywhere.
  private static var processorTime: Double { Double(clock()) / 1_000_000 }

  @Test(arguments: readers) func noBytesEndTheProcess(_ reader: FuzzedReader) async throws {
    let directory = try TemporaryDirectory()
    let seconds = Self.environment["HOLDFAST_FUZZ_SECONDS"].flatMap(Double.init) ?? 0.4
    let only = Self.environment["HOLDFAST_SEED"] ?? ""
    let result = await #expect(processExitsWith: .success) {
      [
        name = reader.rawValue as String, folder = directory.url as URL,
        seconds = seconds as Double,
        only = only as String
      ] in
      try ReaderFuzzTests.feed(name, in: folder, for: .seconds(seconds), only: UInt64(only))
    }
    if result == nil {
      let number = String(
        decoding: try Data(contentsOf: directory.file("case")), as: UTF8.self)
      Issue.record("\(reader): HOLDFAST_FUZZED=\(reader) HOLDFAST_SEED=\(number)")
    }
  }

  /// A mutation of bytes that are refused at once would reach nothing.
  @Test func anArchiveThatIsMutatedIsReadToItsEnd() throws {
    let directory = try TemporaryDirectory()
    for seed in try FuzzedReader.pmtiles.seeds {
      try Data(seed).write(to: directory.file("a.pmtiles"))
      let report = try PMTilesArchive(at: directory.file("a.pmtiles")).check()
      #expect(report.tileCount == 18)
      #expect(report.isUsable, "\(report.problems)")
    }
  }

  private static func feed(
    _ name: String, in folder: URL, for duration: Duration, only: UInt64?
  ) throws {
    guard let reader = FuzzedReader(rawValue: name) else { exit(2) }
    let mutation = ByteMutation(of: try reader.seeds)
    let clock = ContinuousClock()
    let end = clock.now + duration
    // Other cases in each long run, and always the same in a short one.
    var number = duration > .seconds(10) ? UInt64.random(in: 0...UInt64.max / 2) : 1
    let last = only ?? .max
    if let only { number = only }
    let note = folder.appending(path: "case")
    while number <= last, only != nil || clock.now < end {
      try Data("\(number)".utf8).write(to: note)
      let start = processorTime
      // Most cases are refused.
      do { try reader.read(mutation.bytes(number), in: folder) } catch {}
      guard processorTime - start < limit else { exit(4) }
      number += 1
    }
  }
}
