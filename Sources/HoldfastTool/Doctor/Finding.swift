/// One thing that will hurt, or that could not be examined, and where it is.
struct Finding: Equatable, Sendable {
  enum Severity: String, Comparable, Sendable, CaseIterable {
    /// Something is wrong now.
    case error
    /// Something will go wrong, for example when the container moves.
    case warning
    /// Something was not examined, or cannot be decided.
    case note

    static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The kind of a finding; its raw value is stable, for programs.
  enum Kind: String, CaseIterable, Sendable {
    case deadReference = "dead_reference"
    case hotJournal = "hot_journal"
    case tornDatabase = "torn_database"
    case tornLog = "torn_log"
    case damagedDatabase = "damaged_database"
    case damagedTileset = "damaged_tileset"
    case orphanedLog = "orphaned_log"
    case foreignLog = "foreign_log"
    case staleIndex = "stale_index"
    case staleSearchIndex = "stale_search_index"
    case wrongSearchTriggers = "wrong_search_triggers"
    case brokenTrigger = "broken_trigger"
    case brokenView = "broken_view"
    case missingSearchTriggers = "missing_search_triggers"
    case searchTriggersMissReplace = "search_triggers_miss_replace"
    case versionDependentExpression = "version_dependent_expression"
    case brokenConstraint = "broken_constraint"
    case absolutePath = "absolute_path"
    case oversizedLog = "oversized_log"
    case notExcludedFromBackup = "not_excluded_from_backup"
    case unknownReference = "unknown_reference"
    case liveDatabase = "live_database"
    case encryptedDatabase = "encrypted_database"
    case unknownModule = "unknown_module"
    case unreadable = "unreadable"
    case notExamined = "not_examined"

    var severity: Severity {
      switch self {
      case .deadReference, .hotJournal, .tornDatabase, .tornLog, .damagedDatabase, .damagedTileset,
        .orphanedLog, .foreignLog, .staleIndex, .staleSearchIndex, .wrongSearchTriggers,
        .brokenTrigger:
        .error
      case .brokenView, .missingSearchTriggers, .searchTriggersMissReplace,
        .versionDependentExpression,
        .brokenConstraint, .absolutePath, .oversizedLog, .notExcludedFromBackup:
        .warning
      case .unknownReference, .liveDatabase, .encryptedDatabase, .unknownModule, .unreadable,
        .notExamined:
        .note
      }
    }
  }

  /// The place in a file.
  struct Place: Hashable, Sendable {
    var table: String?
    var column: String?
    /// The keys that lead to a value in JSON or a property list: `items[].path`.
    var key: String?

    static let wholeFile = Place()
  }

  var kind: Kind
  /// The path of the file relative to the container.
  var file: String
  var place = Place.wholeFile
  /// The number of values or files that the finding is about.
  var count = 1
  /// A sentence that describes the problem.
  var message: String
  /// Why it hurts, in one sentence.
  var reason: String
  /// A sentence that says what to do.
  var advice: String
  /// One value, shortened.
  var example: String?
  /// The text that the example would be replaced by.
  var becomes: String?
  /// The rowid of the row that the example is in.
  var row: Int64?

  var severity: Severity { kind.severity }
}

/// The findings of one examination, each place once.
///
/// Its memory is bounded: values in one place are counted, a file has a limited number of places
/// per kind, and each kind a limited number of findings.
struct FindingCollector: Sendable {
  private struct Group: Hashable {
    var kind: Finding.Kind
    var file: String
  }

  private struct Spot: Hashable {
    var group: Group
    var place: Finding.Place
  }

  static let placesPerFile = 20
  static let findingsPerKind = 1000

  /// The rowid of the row that is being examined, which is noted with what is found first in a place.
  var row: Int64?

  private var findings: [Spot: Finding] = [:]
  private var places: [Group: Int] = [:]
  private var numbers: [Finding.Kind: Int] = [:]

  /// The number of findings that are not listed, because there are too many of their kind.
  private(set) var unlistedCount = 0

  /// Adds a finding, or adds its count to the one in the same place.
  mutating func add(_ finding: Finding) {
    add(finding.kind, in: finding.file, at: finding.place, count: finding.count) { finding }
  }

  /// Adds a finding that is only made if it is the first in its place.
  ///
  /// A file may have millions of values in one place, and making a finding takes long.
  mutating func add(
    _ kind: Finding.Kind, in file: String, at place: Finding.Place, count: Int,
    _ make: () -> Finding
  ) {
    let group = Group(kind: kind, file: file)
    var spot = Spot(group: group, place: place)
    if findings[spot]?.add(count) != nil { return }
    if places[group, default: 0] >= Self.placesPerFile {
      spot.place = Finding.Place(table: nil, column: nil, key: "…")
    }
    insert(at: spot, count: count) { row in
      var finding = make()
      if spot.place.table != nil, let row { finding.row = row }
      return finding
    }
  }

  /// Adds what another examination has found, whose places are few enough.
  mutating func add(_ other: FindingCollector) {
    for finding in other.sorted {
      let group = Group(kind: finding.kind, file: finding.file)
      insert(at: Spot(group: group, place: finding.place), count: finding.count) { _ in finding }
    }
    unlistedCount += other.unlistedCount
  }

  /// Notes the first finding in a place unless there are too many of its kind, or adds its count.
  private mutating func insert(at spot: Spot, count: Int, _ make: (_ row: Int64?) -> Finding) {
    if findings[spot]?.add(count) != nil { return }
    guard numbers[spot.group.kind, default: 0] < Self.findingsPerKind else {
      unlistedCount += 1
      return
    }
    numbers[spot.group.kind, default: 0] += 1
    places[spot.group, default: 0] += 1
    var finding = make(row)
    (finding.place, finding.count) = (spot.place, count)
    findings[spot] = finding
  }

  /// Whether something of a kind was found in a file.
  func contains(_ kind: Finding.Kind, in file: String) -> Bool {
    places[Group(kind: kind, file: file)] != nil
  }

  /// Removes what was found in some files.
  mutating func removeAll(in files: Set<String>) {
    for spot in findings.keys where files.contains(spot.group.file) {
      findings[spot] = nil
      numbers[spot.group.kind, default: 1] -= 1
    }
    places = places.filter { !files.contains($0.key.file) }
  }

  /// The findings: errors first, then by file, kind and place.
  var sorted: [Finding] {
    findings.values.sorted { left, right in
      if left.severity != right.severity { return left.severity < right.severity }
      for (left, right) in zip(left.sortingTexts, right.sortingTexts) {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        if left != right { return left.lexicographicallyPrecedes(right) }
      }
      return false
    }
  }
}

extension Finding {
  fileprivate mutating func add(_ count: Int) { self.count += count }

  fileprivate var sortingTexts: [String] {
    [file, kind.rawValue, place.table ?? "", place.column ?? "", place.key ?? ""]
  }
}
