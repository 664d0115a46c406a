import Foundation

/// Benchmarks that kill a process at each call of a download and of a move between roots.
struct FileKillCases {
  /// The number of kills of each kind of work; `nil` for one at each call.
  private let killCount: Int?

  init(isShort: Bool) {
    killCount = isShort ? 10 : nil
  }

  var all: [Case] {
    let server = Lazy {
      let server = try WebServer()
      try FileApp.content.write(to: server.files.appending(path: "book.m4b"))
      return server
    }
    return FileKillCampaign.Work.allCases.flatMap { [killCount] work in
      let campaign = Lazy {
        try FileKillCampaign(work, from: server.value.url("book.m4b"), killCount: killCount)
      }
      return [
        Case(
          "records without file, or files without record, after kills of a \(work.name)",
          unit: "violations", bound: .value(0), of: campaign
        ) { $0.violationCount },
        Case(
          "calls at which a \(work.name) was killed", unit: "calls", bound: nil, of: campaign
        ) { $0.killCount },
      ]
    }
  }
}
