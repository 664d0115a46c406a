import HoldfastFiles

extension InstallPlan {
  private typealias Generation = InstalledPack.Generation

  /// Decides what the installation of an offered pack does.
  ///
  /// - Parameters:
  ///   - offered: The pack.
  ///   - pack: The known content of the folder.
  ///   - allowsDowngrades: Whether a lower version than the current one is installed.
  package init(
    installing offered: OfferedPack, over pack: InstalledPack, allowsDowngrades: Bool
  ) {
    let plan = InstallPlan(
      choosingFor: offered, in: pack, allowsDowngrades: allowsDowngrades)
    switch plan {
    case .keep, .refuse: self = plan
    case .verify(let name) where name == pack.current: self = plan
    // The other pack would no longer be current, or its generation removed when its lease ends.
    case .verify, .activate, .install:
      self = pack.occupant.map { .refuse(.occupied(by: $0)) } ?? plan
    }
  }

  /// Decides without regard to other packs in the folder.
  private init(
    choosingFor offered: OfferedPack, in pack: InstalledPack, allowsDowngrades: Bool
  ) {
    let current = pack.generations.first { $0.name == pack.current }
    guard let current, current.state != .damaged else {
      self.init(recoveringWith: offered, in: pack)
      return
    }
    var plan = InstallPlan(
      replacing: current, by: offered, in: pack, allowsDowngrades: allowsDowngrades)
    switch plan {
    // The user's data is not worth less than a newer pack.
    case .verify, .activate, .install: if offered.hasOlderSeed { plan = .refuse(.olderSeed) }
    case .keep, .refuse: break
    }
    switch plan {
    // What stays must be known to be whole.
    case .keep, .refuse: self = current.state == .whole ? plan : .verify(current.name)
    case .verify, .activate, .install: self = plan
    }
  }

  /// Decides while the current generation is not known to be damaged.
  private init(
    replacing current: Generation, by offered: OfferedPack, in pack: InstalledPack,
    allowsDowngrades: Bool
  ) {
    // What was downloaded is preferred to a bundle that is not newer.
    let isPreferred = pack.origin == .folder && offered.origin == .bundle
    if offered.digest == current.digest {
      self = .keep(current.name, .same)
    } else if pack.dismissed.contains(offered.digest) {
      self = .keep(current.name, .rolledBack)
    } else if offered.version > current.version {
      self.init(choosing: offered, .upgrade(from: current.name), in: pack)
    } else if isPreferred {
      self = .keep(current.name, .downloaded)
    } else if offered.version == current.version {
      self.init(choosing: offered, .replacement(of: current.name), in: pack)
    } else if allowsDowngrades {
      self.init(choosing: offered, .downgrade(from: current.name), in: pack)
    } else {
      self = .refuse(.downgrade(from: current.name))
    }
  }

  /// Decides while there is no current generation that could stay.
  ///
  /// The highest version is chosen, without regard to the app's rules, because any pack that works
  /// is better than none; one that the app has left only if there is no other.
  private init(recoveringWith offered: OfferedPack, in pack: InstalledPack) {
    let reason = pack.current.map { Reason.repair(of: $0) } ?? .first
    let others = pack.generations.filter {
      $0.name != pack.current && $0.state != .damaged && !pack.dismissed.contains($0.digest)
    }
    let best = Self.preferred(among: others)
    let isLastResort = pack.dismissed.contains(offered.digest)
    if let best, isLastResort || best.version > offered.version {
      self.init(activating: best, reason)
    } else {
      self.init(choosing: offered, reason, in: pack)
    }
  }

  /// Activates the offered pack, if a generation in the folder is the same, or installs it.
  private init(choosing offered: OfferedPack, _ reason: Reason, in pack: InstalledPack) {
    let copies = pack.generations.filter {
      $0.name != pack.current && $0.state != .damaged && $0.digest == offered.digest
    }
    if let copy = Self.preferred(among: copies) {
      self.init(activating: copy, reason)
    } else {
      self = .install(reason)
    }
  }

  private init(activating generation: Generation, _ reason: Reason) {
    self =
      generation.state == .whole ? .activate(generation.name, reason) : .verify(generation.name)
  }

  /// Returns the generation with the highest version; of several, one that need not be read, or
  /// else the one whose name is the first.
  private static func preferred(among generations: [Generation]) -> Generation? {
    generations.min { left, right in
      if left.version != right.version { return left.version > right.version }
      if left.state != right.state { return left.state == .whole }
      return left.name < right.name
    }
  }
}

extension InstallPlan {
  /// Decides what a rollback does: it activates the generation that was current before, or else
  /// the highest version below the current one; none that a rollback has left.
  package init(rollingBack pack: InstalledPack) {
    let current = pack.generations.first { $0.name == pack.current }
    let others = pack.generations.filter {
      $0.name != pack.current && $0.state != .damaged
        && !pack.dismissed.contains($0.digest, by: .rollback)
    }
    let previous = others.first { $0.name == pack.previous }
    let lower = others.filter { other in current.map { other.version < $0.version } ?? false }
    guard let current = pack.current, let target = previous ?? Self.preferred(among: lower) else {
      self = .refuse(.noPrevious)
      return
    }
    self.init(activating: target, .requested(from: current))
  }

  /// Decides what a switch to a generation in the folder does.
  package init(switchingTo name: String, in pack: InstalledPack) {
    guard let generation = pack.generations.first(where: { $0.name == name }) else {
      self = .refuse(.unknown(name))
      return
    }
    switch generation.state {
    case .damaged: self = .refuse(.damaged(name))
    case .unverified: self = .verify(name)
    case .whole:
      if let current = pack.current {
        self = name == current ? .keep(name, .same) : .activate(name, .requested(from: current))
      } else {
        self = .activate(name, .first)
      }
    }
  }
}

extension InstalledPack {
  /// Decides which packs are not installed again by themselves, after the app has made a generation
  /// current.
  ///
  /// The present one is one of them after a rollback, and after a switch to a version that it would
  /// replace at the next launch.
  ///
  /// - Parameters:
  ///   - target: The generation.
  ///   - way: The request of the app.
  /// - Returns: The packs that were dismissed before, and the present one if it is now; never the
  ///   target.
  package func dismissed(switchingTo target: Generation, by way: DismissedPacks.Way)
    -> DismissedPacks
  {
    var packs = dismissed
    if let present = generations.first(where: { $0.name == current }),
      way == .rollback || present.version >= target.version
    {
      packs.add(present.digest, by: way)
    }
    packs.remove(target.digest)
    return packs
  }
}
