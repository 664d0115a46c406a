import HoldfastFiles
import HoldfastPacks
import Testing

@Suite struct InstallPlanTests {
  private typealias Generation = InstalledPack.Generation

  /// Digests that are told apart by one byte.
  private static func digest(_ number: UInt8) throws -> SHA256Digest {
    try #require(SHA256Digest(bytes: [UInt8](repeating: number, count: 32)))
  }

  private static func dismissed(
    _ digests: [UInt8], by way: DismissedPacks.Way = .rollback
  ) throws -> DismissedPacks {
    DismissedPacks(try digests.map { DismissedPacks.Member(try digest($0), by: way) })
  }

  private static func generation(
    _ name: String, _ version: String, _ digest: UInt8, _ state: GenerationState = .whole
  ) throws -> Generation {
    Generation(
      name: name, version: try PackVersion(version), digest: try Self.digest(digest), state: state)
  }

  private static func offer(
    _ version: String, _ digest: UInt8, from origin: PackOrigin = .bundle
  ) throws -> OfferedPack {
    OfferedPack(
      version: try PackVersion(version), digest: try Self.digest(digest), origin: origin)
  }

  private static func plan(
    _ offered: OfferedPack, _ pack: InstalledPack, allowsDowngrades: Bool = false
  ) -> InstallPlan {
    InstallPlan(installing: offered, over: pack, allowsDowngrades: allowsDowngrades)
  }

  @Test func `Nothing is installed`() throws {
    #expect(Self.plan(try Self.offer("1", 1), InstalledPack()) == .install(.first))
  }

  @Test func `The offered pack is installed already`() throws {
    var pack = InstalledPack(generations: [try Self.generation("a", "1", 1)], current: "a")
    #expect(Self.plan(try Self.offer("1", 1), pack) == .keep("a", .same))
    #expect(Self.plan(try Self.offer("1", 1, from: .folder), pack) == .keep("a", .same))
    pack.generations[0].state = .unverified
    #expect(Self.plan(try Self.offer("1", 1), pack) == .verify("a"))
    pack.generations[0].state = .damaged
    #expect(Self.plan(try Self.offer("1", 1), pack) == .install(.repair(of: "a")))
  }

  // IB-B1
  @Test func `A corrected pack replaces the first one, with a higher version or without`() throws {
    let pack = InstalledPack(generations: [try Self.generation("a", "1", 1)], current: "a")
    #expect(Self.plan(try Self.offer("1.1", 2), pack) == .install(.upgrade(from: "a")))
    #expect(Self.plan(try Self.offer("1.0", 2), pack) == .install(.replacement(of: "a")))
  }

  @Test func `A newer pack needs no verification of the current one`() throws {
    let pack = InstalledPack(
      generations: [try Self.generation("a", "1", 1, .unverified)], current: "a")
    #expect(Self.plan(try Self.offer("2", 2), pack) == .install(.upgrade(from: "a")))
  }

  @Test func `A lower version is refused unless the app allows it`() throws {
    let pack = InstalledPack(generations: [try Self.generation("a", "2", 2)], current: "a")
    let offered = try Self.offer("1", 1)
    #expect(Self.plan(offered, pack) == .refuse(.downgrade(from: "a")))
    #expect(
      Self.plan(offered, pack, allowsDowngrades: true) == .install(.downgrade(from: "a")))
  }

  @Test func `An older seed is refused where the current generation can stay`() throws {
    func plan(_ version: String, _ state: GenerationState) throws -> InstallPlan {
      var offered = try Self.offer(version, 2)
      offered.hasOlderSeed = true
      let pack = InstalledPack(
        generations: [try Self.generation("a", "2", 1, state)], current: "a")
      return Self.plan(offered, pack, allowsDowngrades: true)
    }
    for version in ["1", "2", "3"] {
      #expect(try plan(version, .whole) == .refuse(.olderSeed))
      #expect(try plan(version, .unverified) == .verify("a"))
      #expect(try plan(version, .damaged) == .install(.repair(of: "a")))
    }
  }

  // IB-13
  @Test func `A downloaded pack is preferred to a bundle that is not newer`() throws {
    let pack = InstalledPack(
      generations: [try Self.generation("a", "2", 2)], current: "a", origin: .folder)
    #expect(Self.plan(try Self.offer("2", 1), pack) == .keep("a", .downloaded))
    #expect(Self.plan(try Self.offer("1", 1), pack) == .keep("a", .downloaded))
    #expect(
      Self.plan(try Self.offer("1", 1), pack, allowsDowngrades: true) == .keep("a", .downloaded))
    #expect(Self.plan(try Self.offer("3", 3), pack) == .install(.upgrade(from: "a")))
    #expect(
      Self.plan(try Self.offer("2", 1, from: .folder), pack) == .install(.replacement(of: "a")))
    #expect(
      Self.plan(try Self.offer("1", 1, from: .folder), pack) == .refuse(.downgrade(from: "a")))
  }

  @Test(arguments: [DismissedPacks.Way.rollback, .switching])
  func `A pack that was dismissed is not installed again by itself`(_ way: DismissedPacks.Way)
    throws
  {
    let pack = InstalledPack(
      generations: [try Self.generation("a", "1", 1), try Self.generation("b", "2", 2)],
      current: "a", dismissed: try Self.dismissed([2], by: way))
    #expect(Self.plan(try Self.offer("2", 2), pack) == .keep("a", .rolledBack))
    #expect(Self.plan(try Self.offer("2", 3), pack) == .install(.upgrade(from: "a")))
  }

  @Test func `A generation that is in the folder is not copied again`() throws {
    var pack = InstalledPack(
      generations: [try Self.generation("a", "1", 1), try Self.generation("b", "2", 2)],
      current: "a")
    #expect(Self.plan(try Self.offer("2", 2), pack) == .activate("b", .upgrade(from: "a")))
    pack.generations[1].state = .unverified
    #expect(Self.plan(try Self.offer("2", 2), pack) == .verify("b"))
    pack.generations[1].state = .damaged
    #expect(Self.plan(try Self.offer("2", 2), pack) == .install(.upgrade(from: "a")))
    // A crash before the first switch.
    pack = InstalledPack(generations: [try Self.generation("b", "2", 2)])
    #expect(Self.plan(try Self.offer("2", 2), pack) == .activate("b", .first))
    #expect(Self.plan(try Self.offer("1", 1), pack) == .activate("b", .first))
    #expect(Self.plan(try Self.offer("3", 3), pack) == .install(.first))
  }

  @Test func `Without a whole current generation the highest version is taken`() throws {
    var pack = InstalledPack(
      generations: [
        try Self.generation("a", "1", 1), try Self.generation("b", "2", 2),
        try Self.generation("c", "3", 3, .damaged),
      ], current: "c")
    #expect(Self.plan(try Self.offer("1.5", 9), pack) == .activate("b", .repair(of: "c")))
    #expect(Self.plan(try Self.offer("2.5", 9), pack) == .install(.repair(of: "c")))
    #expect(Self.plan(try Self.offer("3", 3), pack) == .install(.repair(of: "c")))
    // The same pack, installed again before: its folder has another name.
    pack.generations.append(try Self.generation("c.2", "3", 3))
    #expect(Self.plan(try Self.offer("3", 3), pack) == .activate("c.2", .repair(of: "c")))
    // The folder of the current generation is gone.
    pack.current = "d"
    #expect(Self.plan(try Self.offer("1", 1), pack) == .activate("c.2", .repair(of: "d")))
  }

  @Test func `What was rolled back from is the last resort`() throws {
    var pack = InstalledPack(
      generations: [
        try Self.generation("a", "1", 1, .damaged), try Self.generation("b", "2", 2),
        try Self.generation("z", "0", 9),
      ], current: "a", dismissed: try Self.dismissed([2]))
    #expect(Self.plan(try Self.offer("2", 2), pack) == .activate("z", .repair(of: "a")))
    pack.generations.removeLast()
    #expect(Self.plan(try Self.offer("2", 2), pack) == .activate("b", .repair(of: "a")))
    pack.generations.removeLast()
    #expect(Self.plan(try Self.offer("2", 2), pack) == .install(.repair(of: "a")))
  }

  // MARK: - Requests

  @Test func `A rollback activates the previous generation, or the highest below`() throws {
    var pack = InstalledPack(
      generations: [
        try Self.generation("a", "1", 1), try Self.generation("b", "2", 2),
        try Self.generation("c", "3", 3), try Self.generation("d", "4", 4),
      ], current: "c", previous: "a")
    #expect(InstallPlan(rollingBack: pack) == .activate("a", .requested(from: "c")))
    pack.generations[0].state = .damaged
    #expect(InstallPlan(rollingBack: pack) == .activate("b", .requested(from: "c")))
    pack.generations[1].state = .unverified
    #expect(InstallPlan(rollingBack: pack) == .verify("b"))
    pack.dismissed = try Self.dismissed([2])
    #expect(InstallPlan(rollingBack: pack) == .refuse(.noPrevious))
    #expect(InstallPlan(rollingBack: InstalledPack()) == .refuse(.noPrevious))
  }

  @Test func `A rollback returns to what a switch has dismissed, and not to what a rollback has`()
    throws
  {
    var pack = InstalledPack(
      generations: [
        try Self.generation("a", "1", 1), try Self.generation("b", "2", 2),
        try Self.generation("c", "3", 3),
      ], current: "b", previous: "c", dismissed: try Self.dismissed([3], by: .switching))
    #expect(InstallPlan(rollingBack: pack) == .activate("c", .requested(from: "b")))
    pack.dismissed = try Self.dismissed([3])
    #expect(InstallPlan(rollingBack: pack) == .activate("a", .requested(from: "b")))
  }

  @Test func `A switch takes any whole generation`() throws {
    var pack = InstalledPack(
      generations: [
        try Self.generation("a", "1", 1), try Self.generation("b", "2", 2, .unverified),
        try Self.generation("c", "3", 3, .damaged),
      ], current: "a")
    #expect(InstallPlan(switchingTo: "a", in: pack) == .keep("a", .same))
    #expect(InstallPlan(switchingTo: "b", in: pack) == .verify("b"))
    #expect(InstallPlan(switchingTo: "c", in: pack) == .refuse(.damaged("c")))
    #expect(InstallPlan(switchingTo: "d", in: pack) == .refuse(.unknown("d")))
    pack.generations[1].state = .whole
    #expect(InstallPlan(switchingTo: "b", in: pack) == .activate("b", .requested(from: "a")))
    pack.current = nil
    #expect(InstallPlan(switchingTo: "b", in: pack) == .activate("b", .first))
  }

  @Test func `What an app dismisses is not installed again, if it would replace the choice`() throws
  {
    let (old, present, new) = (
      try Self.generation("a", "1", 1), try Self.generation("b", "2", 2),
      try Self.generation("c", "3", 3)
    )
    let other = try Self.generation("d", "2", 4)
    var pack = InstalledPack(
      generations: [old, present, new, other], current: "b", dismissed: try Self.dismissed([3, 1]))
    func dismissed(
      _ target: Generation, by way: DismissedPacks.Way = .switching
    ) -> [DismissedPacks.Member] {
      pack.dismissed(switchingTo: target, by: way).members
    }
    let members = pack.dismissed.members
    let switched = DismissedPacks.Member(present.digest, by: .switching)
    #expect(dismissed(old) == [members[0], switched])
    #expect(dismissed(other) == [members[0], members[1], switched])
    #expect(dismissed(new) == [members[1]])
    // After a downgrade, a rollback returns to a higher version.
    #expect(
      dismissed(new, by: .rollback) == [
        members[1], DismissedPacks.Member(present.digest, by: .rollback),
      ])
    pack.current = nil
    #expect(dismissed(old) == [members[0]])
  }

  @Test func `Of the packs that were dismissed, the latest are remembered`() throws {
    var dismissed = DismissedPacks()
    for number in 1...40 { dismissed.add(try Self.digest(UInt8(number)), by: .rollback) }
    #expect(DismissedPacks.limit == 32)
    #expect(try dismissed == Self.dismissed(Array(9...40)))
    // One that is dismissed once more is the latest, and takes the place of no other one.
    dismissed.add(try Self.digest(9), by: .switching)
    #expect(try Array(dismissed.members.dropLast()) == Self.dismissed(Array(10...40)).members)
    #expect(try dismissed.contains(Self.digest(9), by: .switching))
    #expect(try !dismissed.contains(Self.digest(9), by: .rollback))
  }

  @Test func `A pack is not installed where another one is in use`() throws {
    let name = try PackName("city")
    let refusal = InstallPlan.refuse(.occupied(by: name))
    for offered in [try Self.offer("1", 1), try Self.offer("2", 2)] {
      var pack = InstalledPack(current: "x")
      pack.otherPackGenerations = [
        InstalledPack.OtherPackGeneration(name: "x", pack: name, isHeld: false)
      ]
      #expect(Self.plan(offered, pack, allowsDowngrades: true) == refusal)
      // It may be current.
      pack.current = nil
      #expect(Self.plan(offered, pack) == refusal)
      for state in [GenerationState.whole, .unverified, .damaged] {
        pack.generations = [try Self.generation("a", "1", 1, state)]
        pack.current = "x"
        let plan = Self.plan(offered, pack, allowsDowngrades: true)
        #expect(plan == refusal)
      }
    }
  }

  @Test func `A pack is installed where another one was before`() throws {
    let name = try PackName("city")
    let offered = try Self.offer("2", 2)
    for state in [GenerationState.whole, .unverified, .damaged] {
      var pack = InstalledPack(
        generations: [try Self.generation("a", "1", 1, state)], current: "a", previous: "x")
      let plan = Self.plan(offered, pack)
      pack.otherPackGenerations = [
        InstalledPack.OtherPackGeneration(name: "x", pack: name, isHeld: false)
      ]
      #expect(Self.plan(offered, pack) == plan)
      #expect(InstallPlan(rollingBack: pack) == .refuse(.noPrevious))
      #expect(InstallPlan(switchingTo: "x", in: pack) == .refuse(.unknown("x")))
      // The generation would be kept by its lease only.
      pack.otherPackGenerations[0].isHeld = true
      #expect(Self.plan(offered, pack) == .refuse(.occupied(by: name)))
    }
    // What is installed already stays, whatever else is in the folder.
    var pack = InstalledPack(generations: [try Self.generation("a", "2", 2)], current: "a")
    pack.otherPackGenerations = [
      InstalledPack.OtherPackGeneration(name: "x", pack: name, isHeld: true)
    ]
    #expect(Self.plan(offered, pack) == .keep("a", .same))
    pack.generations[0].state = .unverified
    #expect(Self.plan(offered, pack) == .verify("a"))
  }

  // MARK: - All combinations

  /// Every combination of a current generation, two others, an offer and the app's rules.
  private static func combinations() throws -> [(OfferedPack, InstalledPack, Bool)] {
    let states: [GenerationState?] = [nil, .whole, .unverified, .damaged]
    var result: [(OfferedPack, InstalledPack, Bool)] = []
    for (offeredVersion, offeredDigest) in [("1", 1), ("2", 2), ("2", 5), ("3", 3)] as [(_, UInt8)]
    {
      for offeredOrigin in [PackOrigin.bundle, .folder] {
        let offered = try offer(offeredVersion, offeredDigest, from: offeredOrigin)
        for currentState in states {
          for lowState in states {
            for highState in states {
              for origin in [PackOrigin.bundle, .folder] {
                for rolledBack in [[], [1], [3], [5, 3]] as [[UInt8]] {
                  for isListed in [true, false] {
                    var pack = InstalledPack(
                      origin: origin, dismissed: try dismissed(rolledBack))
                    pack.generations += try lowState.map { [try generation("a", "1", 1, $0)] } ?? []
                    pack.generations +=
                      try highState.map { [try generation("c", "3", 3, $0)] } ?? []
                    if let currentState {
                      pack.current = "b"
                      if isListed {
                        pack.generations.append(try generation("b", "2", 2, currentState))
                      }
                    }
                    for allowsDowngrades in [true, false] {
                      result.append((offered, pack, allowsDowngrades))
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return result
  }

  @Test func `Every combination leads to a whole generation, by the rules`() throws {
    let combinations = try Self.combinations()
    #expect(combinations.count == 4 * 2 * 4 * 4 * 4 * 2 * 4 * 2 * 2)
    var seen: Set<String> = []
    for (offered, pack, allowsDowngrades) in combinations {
      let plan = InstallPlan(
        installing: offered, over: pack, allowsDowngrades: allowsDowngrades)
      func generation(_ name: String) -> Generation? {
        pack.generations.first { $0.name == name }
      }
      let current = pack.current.flatMap { generation($0) }
      let usable = pack.generations.filter { $0.state != .damaged }
      let isUsable = current.map { $0.state != .damaged } ?? false
      var chosen: (version: PackVersion, digest: SHA256Digest)?
      switch plan {
      case .verify(let name):
        // Each verification makes one generation known, so that the decision ends.
        #expect(generation(name)?.state == .unverified)
        seen.insert("verify")
        continue
      case .keep(let name, let reason):
        #expect(name == pack.current && current?.state == .whole)
        #expect((reason == .same) == (current?.digest == offered.digest))
        if reason == .downloaded { #expect(pack.origin == .folder && offered.origin == .bundle) }
        if reason == .rolledBack { #expect(pack.dismissed.contains(offered.digest)) }
        seen.insert("keep \(reason)")
      case .refuse(let refusal):
        #expect(refusal == .downgrade(from: pack.current ?? ""))
        #expect(current?.state == .whole && !allowsDowngrades)
        #expect(current.map { offered.version < $0.version } == true)
        seen.insert("refuse")
      case .activate(let name, let reason):
        let target = try #require(generation(name))
        #expect(target.state == .whole && name != pack.current)
        chosen = (target.version, target.digest)
        seen.insert("activate \(reason)")
      case .install(let reason):
        // Nothing is copied that is there already.
        #expect(!usable.contains { $0.digest == offered.digest && $0.name != pack.current })
        chosen = (offered.version, offered.digest)
        seen.insert("install \(reason)")
      }
      guard let chosen else { continue }
      if isUsable, let current {
        #expect(chosen.digest == offered.digest)
        #expect(!pack.dismissed.contains(chosen.digest))
        #expect(chosen.version >= current.version || allowsDowngrades)
        if pack.origin == .folder, offered.origin == .bundle {
          #expect(chosen.version > current.version)
        }
      } else {
        let others = usable.filter {
          $0.name != pack.current && !pack.dismissed.contains($0.digest)
        }
        let best = others.map(\.version).max()
        if pack.dismissed.contains(chosen.digest) {
          #expect(others.isEmpty)
        } else if let best {
          #expect(chosen.version >= best)
        }
        if !pack.dismissed.contains(offered.digest) { #expect(chosen.version >= offered.version) }
      }
    }
    #expect(
      seen == [
        "verify", "refuse", "keep same", "keep downloaded", "keep rolledBack",
        #"activate first"#, #"activate upgrade(from: "b")"#, #"activate downgrade(from: "b")"#,
        #"activate repair(of: "b")"#, #"install first"#, #"install upgrade(from: "b")"#,
        #"install downgrade(from: "b")"#, #"install replacement(of: "b")"#,
        #"install repair(of: "b")"#,
      ])
  }
}
