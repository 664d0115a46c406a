import Foundation
import Testing

@testable import HoldfastTool

@Suite struct ProgressBarTests {
  @Test func theBarShowsTheFraction() {
    #expect(
      ProgressBar.text(0.3, "Reading stops.txt", columns: 60)
        == "Reading stops.txt [#########---------------------]  30%")
    #expect(ProgressBar.text(1, "Done", columns: 20) == "Done [########] 100%")
    #expect(ProgressBar.text(0.5, "Reading", columns: 14) == "Reading  50%")
    #expect(ProgressBar.text(0.5, "Reading stops.txt", columns: 12) == "Readin…  50%")
    #expect(ProgressBar.text(.nan, "x", columns: 14) == "x [-----]   0%")
    #expect(ProgressBar.text(7, "x", columns: 14) == "x [#####] 100%")
    #expect(ProgressBar.text(-7, "x", columns: 14) == "x [-----]   0%")
  }

  @Test(arguments: 5...100)
  func theBarFitsTheTerminal(columns: Int) {
    #expect(ProgressBar.text(1, "東京 stops.txt", columns: columns).displayWidth <= columns)
    let measured = ProgressBar.text(
      0.4, "東京 stops.txt", elapsed: .seconds(2), byteCount: 68_000_000, columns: columns)
    #expect(measured.displayWidth <= columns)
  }

  @Test func `The rate and the remaining time follow the percentage`() {
    #expect(
      ProgressBar.text(
        0.4, "Importing", elapsed: .seconds(8), byteCount: 272_000_000, columns: 80)
        == "Importing [############------------------]  40%  34 MB/s  12 s left")
    #expect(
      ProgressBar.text(0.4, "Importing", elapsed: .seconds(8), columns: 80)
        == "Importing [############------------------]  40%  12 s left")
    #expect(
      ProgressBar.text(
        0.4, "Importing", elapsed: .milliseconds(900), byteCount: 30_000_000, columns: 80)
        == "Importing [############------------------]  40%")
  }

  @Test func `A narrow terminal lacks the rate first and then the remaining time`() {
    func text(_ columns: Int) -> String {
      ProgressBar.text(
        0.4, "Importing", elapsed: .seconds(8), byteCount: 272_000_000, columns: columns)
    }
    #expect(text(47) == "Importing [####------]  40%  34 MB/s  12 s left")
    #expect(text(46) == "Importing [#######-----------]  40%  12 s left")
    #expect(text(38) == "Importing [####------]  40%  12 s left")
    #expect(text(37) == "Importing [########------------]  40%")
  }

  @Test func theBarIsDrawnRarelyAndErased() throws {
    let transcript = try Transcript(errorColumns: 40)
    let begin = ContinuousClock.now
    try Output(.table, console: transcript.console).withProgress { bar in
      for step in 0...20_000 { try bar.show(Double(step) / 20_000, "Reading") }
    }
    let elapsed = begin.duration(to: .now)
    let written = try transcript.errors
    let frames = written.components(separatedBy: "Reading").count - 1
    #expect(frames >= 1)
    #expect(frames <= 1 + Int(elapsed / .milliseconds(50)))
    #expect(written.hasPrefix("\rReading [------------------------]   0%\u{1B}[K"))
    #expect(written.hasSuffix("%\u{1B}[K\r\u{1B}[K"))
    #expect(!written.contains("\n"))
  }

  @Test func theBarIsErasedBeforeALineIsPrinted() throws {
    let transcript = try Transcript(errorColumns: 40)
    let output = Output(.table, console: transcript.console)
    try output.withProgress { bar in
      try bar.show(0, "Reading")
      output.note("A remark.")
    }
    #expect(try transcript.errors.hasSuffix("\u{1B}[K\r\u{1B}[KA remark.\n"))
  }

  @Test func theBarIsErasedWhenTheWorkThrows() throws {
    let transcript = try Transcript(errorColumns: 40)
    #expect(throws: CancellationError.self) {
      try Output(.table, console: transcript.console).withProgress { bar in
        try bar.show(0, "Reading")
        throw CancellationError()
      }
    }
    #expect(try transcript.errors.hasSuffix("\r\u{1B}[K"))
  }

  @Test(arguments: [(Output.Format.table, nil), (.json, 40)])
  func withoutATerminalThereIsNoBar(format: Output.Format, columns: Int?) throws {
    let transcript = try Transcript(errorColumns: columns)
    try Output(format, console: transcript.console).withProgress { try $0.show(0.5, "Reading") }
    #expect(try transcript.errors == "")
  }
}
