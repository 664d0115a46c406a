/// The changes between two stops of which some rules name routes or trips, for searches in one
/// direction.
///
/// A search goes from sources to targets: forward from the vehicles that riders leave to those that
/// they board, backward the other way. Vehicles that the same rules name are of one class. Most pairs
/// of classes have no rule of their own, so that time and memory grow with the rules, and not with the
/// pairs.
struct VehicleTransfers {
  /// A rule that names a source and a target.
  struct Cell {
    let source: Int32
    let choice: TransferRule.Choice
  }

  let sources: VehicleClasses
  let targets: VehicleClasses
  /// The choice of the rules that name only the source of each class, or neither.
  private var ofSources: [TransferRule.Choice]
  /// The choice of the rules that name only the target of each class, or neither.
  private var ofTargets: [TransferRule.Choice]
  /// The index of the first cell of each class of targets, and the number of all cells.
  private var starts: [Int32]
  private var cells: [Cell]

  /// Arranges rules.
  ///
  /// - Parameters:
  ///   - rules: The rules that name a route or a trip, for the direction of the search.
  ///   - stopChoice: What the rules say that name only stops.
  ///   - sources: The nodes of the vehicles at the stop from which the search goes.
  ///   - targets: The nodes of the vehicles at the other stop.
  init(
    _ rules: [TransferRule], _ stopChoice: TransferRule.Choice,
    from sources: (stop: Int, nodes: JourneyNodes), to targets: (stop: Int, nodes: JourneyNodes)
  ) {
    self.sources = VehicleClasses(rules.map(\.from), sources.nodes, at: sources.stop)
    self.targets = VehicleClasses(rules.map(\.to), targets.nodes, at: targets.stop)
    ofSources = [TransferRule.Choice](repeating: stopChoice, count: self.sources.count)
    ofTargets = [TransferRule.Choice](repeating: stopChoice, count: self.targets.count)
    var found: [(source: Int, target: Int, choice: TransferRule.Choice)] = []
    for rule in rules {
      let (source, target) = (
        self.sources.index(of: rule.from), self.targets.index(of: rule.to)
      )
      if target == 0 {
        ofSources[source] = ofSources[source].or(rule.choice)
      } else if source == 0 {
        ofTargets[target] = ofTargets[target].or(rule.choice)
      } else {
        found.append((source, target, rule.choice))
      }
    }
    for index in ofSources.indices {
      ofSources[index] = ofSources[index].or(ofSources[self.sources.parents[index]])
    }
    for index in ofTargets.indices {
      ofTargets[index] = ofTargets[index].or(ofTargets[self.targets.parents[index]])
    }
    found.sort {
      ($0.target, $0.source, $1.choice.priority) < ($1.target, $1.source, $0.choice.priority)
    }
    starts = [Int32](repeating: 0, count: self.targets.count + 1)
    cells = []
    for (index, cell) in found.enumerated() {
      let isKnown =
        index > 0
        && (found[index - 1].source, found[index - 1].target) == (cell.source, cell.target)
      guard !isKnown else { continue }
      cells.append(Cell(source: Int32(cell.source), choice: cell.choice))
      starts[cell.target + 1] += 1
    }
    for target in 0..<self.targets.count { starts[target + 1] += starts[target] }
  }

  private func cells(of target: Int) -> ArraySlice<Cell> {
    cells[Int(starts[target])..<Int(starts[target + 1])]
  }

  /// Returns what the most specific rule says of a change between two vehicles.
  func choice(_ source: TransferRule.Side, _ target: TransferRule.Side) -> TransferRule.Choice {
    let (source, target) = (sources.nearest(to: source), targets.nearest(to: target))
    var choice = ofSources[source].or(ofTargets[target])
    for target in [target, targets.parents[target]] {
      for cell in cells(of: target)
      where cell.source == source || cell.source == sources.parents[source] {
        choice = choice.or(cell.choice)
      }
    }
    return choice
  }

  // MARK: - Searching

  /// A class of sources that a search has reached: its earliest label, and the ride there.
  struct Reached {
    static let never = Reached(label: .max, ride: -1)

    let label: Int
    let ride: Int32

    func or(_ other: Reached) -> Reached { other.label < label ? other : self }

    func after(_ seconds: Int) -> Reached { Reached(label: label + seconds, ride: ride) }
  }

  /// A class that was reached, and the label after its own way.
  private struct Row {
    let source: Int
    let reached: Reached
    let total: Int
  }

  /// Returns the earliest label of each class of targets.
  ///
  /// - Parameters:
  ///   - reached: What was reached of each class of sources.
  ///   - walk: The walk between the stops.
  /// - Returns: The labels with the rides that give them, by class; none if nothing was reached.
  func targets(after reached: [Reached], _ walk: Footpaths.RuledWay) -> [Reached] {
    let rows = Rows(reached, ofSources, walk)
    guard !rows.isEmpty else { return [] }
    var own = OwnChoices(sources.count)
    let usual = earliest(ofTargets[0], own, rows, reached, walk)
    var found = [Reached](repeating: usual, count: targets.count)
    for target in 1..<max(1, targets.count) {
      // Rules between this class of targets, or its route, and a source that was reached.
      collect(&own, for: target, reached)
      let choice = ofTargets[target]
      guard !own.sources.isEmpty || choice.priority != ofTargets[0].priority else { continue }
      found[target] = earliest(choice, own, rows, reached, walk)
    }
    return found
  }

  /// The classes that were reached, in the orders in which they are looked at.
  private struct Rows {
    /// Those without a rule of their own for any target, the earliest first.
    var plain: [Row] = []
    /// Those with such a rule, the earliest first, and the earliest after their own way first.
    var byLabel: [Row] = []
    var byTotal: [Row] = []
    /// The least and the greatest priority of these rules.
    var (least, greatest) = (Int64.max, Int64.min)

    var isEmpty: Bool { plain.isEmpty && byLabel.isEmpty }

    init(
      _ reached: [Reached], _ ofSources: [TransferRule.Choice], _ walk: Footpaths.RuledWay
    ) {
      let base = ofSources[0].priority
      for (source, reached) in reached.enumerated() where reached.label < .max {
        let choice = ofSources[source]
        let total = walk.seconds(choice).map { reached.label + $0 } ?? .max
        let row = Row(source: source, reached: reached, total: total)
        guard choice.priority != base else {
          plain.append(row)
          continue
        }
        byLabel.append(row)
        (least, greatest) = (min(least, choice.priority), max(greatest, choice.priority))
      }
      plain.sort { ($0.reached.label, $0.source) < ($1.reached.label, $1.source) }
      byLabel.sort { ($0.reached.label, $0.source) < ($1.reached.label, $1.source) }
      byTotal = byLabel.filter { $0.total < .max }
      byTotal.sort { ($0.total, $0.source) < ($1.total, $1.source) }
    }
  }

  /// Returns the earliest label of a class of targets.
  private func earliest(
    _ choice: TransferRule.Choice, _ own: OwnChoices, _ rows: Rows, _ reached: [Reached],
    _ walk: Footpaths.RuledWay
  ) -> Reached {
    var best = Reached.never
    for source in own.sources {
      if let seconds = walk.seconds(own[source].or(ofSources[source]).or(choice)) {
        best = best.or(reached[source].after(seconds))
      }
    }
    let seconds = walk.seconds(choice)
    if let seconds {
      for row in rows.plain where !own.contains(row.source) {
        best = best.or(row.reached.after(seconds))
        break
      }
    }
    // Of a rule for the source alone and one for the target alone, the more specific one counts.
    if choice.priority < rows.greatest {
      for row in rows.byTotal
      where ofSources[row.source].priority > choice.priority && !own.contains(row.source) {
        best = best.or(Reached(label: row.total, ride: row.reached.ride))
        break
      }
    }
    if let seconds, choice.priority > rows.least {
      for row in rows.byLabel
      where ofSources[row.source].priority < choice.priority && !own.contains(row.source) {
        best = best.or(row.reached.after(seconds))
        break
      }
    }
    return best
  }

  private func collect(_ own: inout OwnChoices, for target: Int, _ reached: [Reached]) {
    own.removeAll()
    collect(&own, cells(of: target), reached)
    let parent = targets.parents[target]
    if parent != 0 { collect(&own, cells(of: parent), reached) }
  }

  private func collect(
    _ own: inout OwnChoices, _ cells: ArraySlice<Cell>, _ reached: [Reached]
  ) {
    for cell in cells {
      let first = Int(cell.source)
      // The rule of a route is one for its trips too.
      for source in first..<sources.ends[first] where reached[source].label < .max {
        own.insert(cell.choice, for: source)
      }
    }
  }

  /// The most specific choices of some sources.
  private struct OwnChoices {
    private(set) var sources: [Int] = []
    private var choices: [TransferRule.Choice]

    init(_ count: Int) {
      choices = [TransferRule.Choice](repeating: .none, count: count)
    }

    subscript(source: Int) -> TransferRule.Choice { choices[source] }

    func contains(_ source: Int) -> Bool { choices[source].priority >= 0 }

    mutating func insert(_ choice: TransferRule.Choice, for source: Int) {
      if choices[source].priority < 0 { sources.append(source) }
      choices[source] = choices[source].or(choice)
    }

    mutating func removeAll() {
      for source in sources { choices[source] = .none }
      sources.removeAll(keepingCapacity: true)
    }
  }
}
