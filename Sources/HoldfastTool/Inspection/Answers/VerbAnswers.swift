import Foundation
import HoldfastFiles
import HoldfastInspector
import HoldfastPacks

/// The answers that other verbs give: about downloaded files and about packs.
struct VerbAnswers: Sendable {
  let verbs: VerbProcess
  let container: CopiedContainer

  /// The most records and changes that are shown.
  private static let mostRecords = 5000

  /// The records of a ledger, and what a repair would change.
  func ledger(_ item: InspectedItem) throws -> String {
    let words = ["--database", item.path.text]
    let records = try verbs.answer(["files", "status"] + words, container.folder)
    var counts = ["present": 0, "absent": 0, "unknown": 0]
    for line in records.lines {
      guard let answer = OutputRecord.object(line)?["answer"] as? String else { continue }
      counts[answer, default: 0] += 1
    }
    var (repairs, note) = ("[]", "null")
    do {
      repairs = try verbs.answer(["files", "repair", "--dry-run"] + words, container.folder).list
    } catch let failure as VerbProcess.Failure {
      let object = OutputRecord.object(failure.json)
      note = OutputRecord.quoted(object?["message"] as? String ?? "A repair cannot be rehearsed.")
    }
    let start: OutputRecord = [
      "path": .text(item.name), "database": Cell(item.database),
      "counts": .record([
        "present": Cell(counts["present"]), "absent": Cell(counts["absent"]),
        "unknown": Cell(counts["unknown"]),
      ]), "total": Cell(records.lines.count),
      "truncated": .bool(records.lines.count > Self.mostRecords),
    ]
    let shown = VerbProcess.Answer(lines: Array(records.lines.prefix(Self.mostRecords))).list
    return start.json.dropLast() + ",\"records\":\(shown),\"repairs\":\(repairs),\"note\":\(note)}"
  }

  private func store(_ item: InspectedItem) -> [String] {
    ["--store", item.path.name]
  }

  /// The generations of the packs in a store.
  func packs(_ item: InspectedItem) throws -> String {
    let lines = try verbs.answer(["pack", "list"] + store(item), container.folder).lines
    let leases = try leases(item)
    let generations = lines.map { line -> String in
      let object = OutputRecord.object(line)
      let name = object?["generation"] as? String ?? ""
      let found = leases[name] ?? []
      return line.dropLast() + ",\"leases\":[\(found.map(\.json).joined(separator: ","))]}"
    }
    return "{\"path\":\(OutputRecord.quoted(item.name)),"
      + "\"generations\":\(VerbProcess.Answer(lines: generations).list)}"
  }

  /// Returns who uses the generations of a store, by their names.
  private func leases(_ item: InspectedItem) throws -> [String: [OutputRecord]] {
    let store = try PackParameters.packStore(
      at: container.folder.url, named: PackName(item.path.name), nil)
    var found: [String: [OutputRecord]] = [:]
    for pack in try StoreContent(of: store).packs {
      for use in try pack.folder.leases.uses() where use.standing != .ended {
        let (number, isHeld) = (use.lease.process.number, use.standing == .held)
        found[use.lease.generation, default: []].append([
          "role": .text(use.lease.role), "pid": Cell(Int(number)),
          "process": Cell(isHeld ? ProcessTable.name(of: number) : nil),
          "held": isHeld ? .bool(true) : .null,
        ])
      }
    }
    return found
  }

  /// Whether each file of the packs is the one in its manifest.
  func verification(_ item: InspectedItem) throws -> String {
    "{\"versions\":\(try verbs.answer(["pack", "verify"] + store(item), container.folder).list)}"
  }
}
