import HoldfastFiles

extension InstallPlan {
  package init(
    installing offered: OfferedPack, over pack: InstalledPack, allowsDowngrades: Bool
  ) {
    let same = pack.generations.filter { $0.digest == offered.digest && $0.state != .damaged }
    let current = pack.generations.first { $0.name == pack.current }
    var reason = Reason.first
    if let current {
      if current.state == .unverified {
        self = .verify(current.name)
        return
      }
      if current.state == .damaged {
        reason = .repair(of: current.name)
      } else if current.digest == offered.digest {
        self = .keep(current.name, .same)
        return
      } else if pack.rolledBack == offered.digest {
        self = .keep(current.name, .rolledBack)
        return
      } else if current.version == offered.version {
        if offered.origin == .bundle, pack.origin == .folder {
          self = .keep(current.name, .downloaded)
          return
        }
        reason = .replacement(of: current.name)
      } else if current.version > offered.version {
        if offered.origin == .bundle, pack.origin == .folder {
          self = .keep(current.name, .downloaded)
          return
        }
        guard allowsDowngrades else {
          self = .refuse(.downgrade(from: current.name))
          return
        }
        reason = .downgrade(from: current.name)
      } else {
        reason = .upgrade(from: current.name)
      }
    }
    guard let candidate = same.first else {
      self = .install(reason)
      return
    }
    self = candidate.state == .whole ? .activate(candidate.name, reason) : .verify(candidate.name)
  }

  package init(rollingBack pack: InstalledPack) {
    guard let previous = pack.previous else {
      self = .refuse(.noPrevious)
      return
    }
    self.init(switchingTo: previous, in: pack)
  }

  package init(switchingTo name: String, in pack: InstalledPack) {
    guard let generation = pack.generations.first(where: { $0.name == name }) else {
      self = .refuse(.unknown(name))
      return
    }
    switch generation.state {
    case .damaged: self = .refuse(.damaged(name))
    case .unverified: self = .verify(name)
    case .whole:
      self =
        name == pack.current
        ? .keep(name, .same) : .activate(name, .requested(from: pack.current ?? ""))
    }
  }
}
