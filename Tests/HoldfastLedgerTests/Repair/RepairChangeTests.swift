import HoldfastFiles
import Testing

@testable import HoldfastLedger

/// Decisions about records and the changes that carry them out, as tables.
@Suite struct RepairChangeTests {
  typealias Evidence = RepairDecision.Evidence

  private static func stored() throws -> RelocatablePath { try RelocatablePath(.caches, "a.m4b") }

  private static func other() throws -> RepairDecision.Found {
    RepairDecision.Found(path: try RelocatablePath(.documents, "a.m4b"), step: .otherRoot)
  }

  private static func evidence(
    _ stored: Presence, other: Bool = false, rewrite: Bool = false, cleared: Bool = false,
    found: Bool = false, doubtful: Bool = false, owned: Bool = false
  ) throws -> Evidence {
    Evidence(
      stored: stored, isOtherFile: other, needsRewriting: rewrite, isCleared: cleared,
      found: found ? try Self.other() : nil, isDoubtful: doubtful, isOwnedByAnother: owned)
  }

  private static func rows() throws -> [(Evidence, RepairDecision)] {
    [
      (try evidence(.present), .keep),
      (try evidence(.present, rewrite: true), .rewrite),
      (try evidence(.present, cleared: true), .restore),
      (try evidence(.present, rewrite: true, cleared: true), .restore),
      (try evidence(.present, cleared: true, owned: true), .keep),
      (try evidence(.present, other: true), .leaveUnknown),
      (try evidence(.present, other: true, cleared: true), .keep),
      (try evidence(.present, other: true, found: true), .leaveUnknown),
      (try evidence(.present, other: true, cleared: true, found: true), .point(try other())),
      (try evidence(.absent, found: true), .point(try other())),
      (try evidence(.unknown, found: true), .point(try other())),
      (try evidence(.absent), .clear),
      (try evidence(.absent, cleared: true), .keep),
      (try evidence(.absent, doubtful: true), .leaveUnknown),
      (try evidence(.unknown), .leaveUnknown),
    ]
  }

  @Test(arguments: try rows())
  func `Evidence leads to one decision`(_ evidence: Evidence, _ decision: RepairDecision) {
    #expect(RepairDecision(evidence) == decision)
  }

  /// A record of the audiobook app; its text is absolute or names the root by a prefix.
  private static func change(
    _ evidence: Evidence, absolute: Bool = false, problem: String? = nil, hasLocation: Bool = false,
    in dialect: PathDialect = .documentsAndCaches
  ) throws -> RepairChange {
    let text =
      absolute ? "/var/mobile/Containers/Data/Application/X/Library/Caches/a.m4b" : "C:a.m4b"
    let record = LedgerRecord(
      id: 1, storedText: text, path: try stored(),
      state: evidence.isCleared ? .cleared : .recorded)
    return RepairChange(
      RepairDecision(evidence), from: evidence, of: record, problem: problem, in: dialect,
      hasLocation: hasLocation)
  }

  @Test func `A kept record changes nothing`() throws {
    let change = try Self.change(Self.evidence(.present))
    #expect(change.update == .none && change.owned == nil && !change.removesTombstone)
    #expect(change.item.action == .none && change.item.problem == nil)
  }

  @Test func `An absolute path is rewritten and keeps its owner and state`() throws {
    let change = try Self.change(Self.evidence(.present, rewrite: true), absolute: true)
    #expect(change.update == .path(.init(text: "a.m4b", location: nil), state: nil))
    #expect(change.item.action == .rewritten && change.item.to == "a.m4b")
    #expect(change.owned == nil && !change.removesTombstone && !change.movesDigest)
  }

  @Test func `A restored record is recorded again, and its note is removed`() throws {
    let plain = try Self.change(Self.evidence(.present, cleared: true))
    #expect(plain.update == .recorded && plain.item.to == nil)
    let absolute = try Self.change(
      Self.evidence(.present, rewrite: true, cleared: true), absolute: true)
    #expect(absolute.update == .path(.init(text: "a.m4b", location: nil), state: true))
    for change in [plain, absolute] {
      #expect(change.item.action == .restored && change.item.answer == .present)
      #expect(try change.owned == Self.stored() && change.removesTombstone && !change.movesDigest)
    }
  }

  @Test func `A file that was found elsewhere takes its digest along`() throws {
    let change = try Self.change(Self.evidence(.absent, found: true))
    #expect(change.update == .path(.init(text: "D:a.m4b", location: nil), state: nil))
    #expect(change.item.action == .repaired(.otherRoot) && change.item.answer == .present)
    #expect(try change.owned == Self.other().path && change.movesDigest && !change.removesTombstone)
    let located = try Self.change(
      try Self.evidence(.absent, cleared: true, found: true), absolute: true, hasLocation: true)
    #expect(located.update == .path(.init(text: "a.m4b", location: "documents"), state: true))
    #expect(located.item.location == "documents" && located.removesTombstone)
  }

  @Test func `A path without a text in the dialect is refused and not written`() throws {
    let change = try Self.change(
      try Self.evidence(.absent, found: true),
      in: .tagged(["C:": .caches], bareRoot: .caches))
    #expect(change.isRefused && change.update == .none && change.owned == nil)
    #expect(change.item.problem?.contains("has no text for") == true)
    #expect(change.item.action == .none && change.item.to == nil)
  }

  @Test func `A cleared record keeps its text unless that is absolute`() throws {
    let plain = try Self.change(Self.evidence(.absent))
    #expect(try plain.update == .cleared(Self.stored(), nil) && plain.item.to == nil)
    let absolute = try Self.change(Self.evidence(.absent), absolute: true)
    #expect(try absolute.update == .cleared(Self.stored(), .init(text: "a.m4b", location: nil)))
    #expect(absolute.item.action == .cleared && absolute.item.to == "a.m4b")
  }

  @Test func `Doubt is reported with its reason`() throws {
    let named = try Self.change(Self.evidence(.unknown), problem: "the disk is asleep")
    #expect(named.item.answer == .unknown && named.item.problem == "the disk is asleep")
    #expect(try Self.change(Self.evidence(.unknown)).item.problem != nil)
    #expect(named.update == .none)
  }
}
