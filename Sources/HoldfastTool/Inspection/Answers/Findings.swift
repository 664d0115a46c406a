import Foundation
import HoldfastFiles
import Synchronization

/// The findings of `holdfast doctor`, which are made when the page asks for them.
final class Findings: Sendable {
  private struct State {
    enum Work { case none, running, done([String]), failed(String) }

    var work = Work.none
    var since = Date.now
  }

  private let state = Mutex(State())
  private let folder: FilePath?
  private let verbs: VerbProcess

  /// Prepares an examination, which begins when it is asked for.
  ///
  /// - Parameters:
  ///   - folder: The folder to examine; `nil` when a single file is inspected.
  ///   - verbs: What runs the verb.
  init(of folder: FilePath?, _ verbs: VerbProcess) { (self.folder, self.verbs) = (folder, verbs) }

  /// Returns the state of the examination in JSON, and starts it if it has not begun.
  ///
  /// - Parameters:
  ///   - again: Whether it is started again.
  ///   - link: Returns where a finding leads on the page.
  /// - Returns: An object in JSON.
  func answer(again: Bool, link: (OutputRecord.JSONObject) -> OutputRecord?) -> String {
    guard let folder else {
      return
        ([
          "state": .text("none"), "since": .null, "findings": .list([]),
          "summary": .list([.text("'holdfast doctor' examines folders, and this is a single file.")]
          ),
          "error": .null,
        ] as OutputRecord).json
    }
    let now = state.withLock { state in
      switch state.work {
      case .none: start(folder, &state)
      case .done, .failed: if again { start(folder, &state) }
      case .running: break
      }
      return state
    }
    let since = OutputRecord.quoted(now.since.timestamp(in: .gmt))
    switch now.work {
    case .none, .running:
      return
        "{\"state\":\"running\",\"since\":\(since),\"findings\":[],\"summary\":[],\"error\":null}"
    case .failed(let error):
      return
        "{\"state\":\"failed\",\"since\":\(since),\"findings\":[],\"summary\":[],\"error\":\(error)}"
    case .done(let lines):
      let findings = lines.map { line in
        let target = OutputRecord.object(line).flatMap(link)?.json ?? "null"
        return line.dropLast() + ",\"link\":\(target)}"
      }
      return
        "{\"state\":\"done\",\"since\":\(since),\"findings\":[\(findings.joined(separator: ","))],"
        + "\"summary\":[],\"error\":null}"
    }
  }

  private func start(_ folder: FilePath, _ state: inout State) {
    (state.work, state.since) = (.running, .now)
    DispatchQueue.global().async {
      let work: State.Work
      do {
        work = .done(try self.verbs.answer(["doctor"], folder).lines)
      } catch let failure as VerbProcess.Failure {
        work = .failed(failure.json)
      } catch {
        work = .failed(ErrorReport(error).record.json)
      }
      self.state.withLock { $0.work = work }
    }
  }
}

extension OutputRecord {
  /// An object in JSON whose values are read.
  typealias JSONObject = [String: Any]

  /// Returns an object that is written on one line; `nil` when it is none.
  static func object(_ line: String) -> JSONObject? {
    // A line that is no object has no link.
    (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? JSONObject
  }

  /// Returns a text in quotes, as JSON spells it.
  static func quoted(_ value: String) -> String {
    String((["": .text(value)] as OutputRecord).json.dropFirst(4).dropLast())
  }
}
