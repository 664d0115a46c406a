import Foundation
package import HoldfastFiles

/// The content of the file that names the current generation of a pack.
///
/// It contains names only, so it stays valid when the container moves.
package struct CurrentFile: Hashable, Sendable {
  /// The format that this version writes and reads.
  package static let format = 1

  /// The name of the current generation.
  package var generation: String

  /// The name of the generation that was current before.
  package var previous: String?

  /// The number of switches so far.
  package var sequence: Int64

  /// The origins of generations, by their names.
  package var origins: [String: PackOrigin]

  /// The packs that the app has left.
  package var dismissed: DismissedPacks

  package init(
    generation: String, previous: String? = nil, sequence: Int64 = 1,
    origins: [String: PackOrigin] = [:], dismissed: DismissedPacks = DismissedPacks()
  ) {
    self.generation = generation
    self.previous = previous
    self.sequence = sequence
    self.origins = origins
    self.dismissed = dismissed
  }

  /// The origin of a generation; the bundle, if it is not known.
  package func origin(of generation: String) -> PackOrigin { origins[generation] ?? .bundle }

  // MARK: Bytes

  /// The content as it is written, which is never longer than what is read.
  package var bytes: [UInt8] {
    var members: [String: CanonicalJSON] = [
      "format": .number(Int64(Self.format)), "generation": .string(generation),
      "sequence": .number(sequence),
      "origins": .object(writtenOrigins.mapValues { .string($0.rawValue) }),
    ]
    members["previous"] = previous.map(CanonicalJSON.string)
    // Earlier versions read one digest, and ignore the other members.
    members["rolledBack"] = dismissed.members.last.map { .string($0.digest.description) }
    members["rolledBackBefore"] = Self.list(dismissed.members.dropLast())
    members["switchedFrom"] = Self.list(dismissed.members.filter { $0.way == .switching })
    return CanonicalJSON.object(members).bytes
  }

  private static func list(_ members: some Collection<DismissedPacks.Member>) -> CanonicalJSON? {
    members.isEmpty ? nil : .array(members.map { .string($0.digest.description) })
  }

  private static let originLimit = 128

  /// The origins of the generations that always stay, and of some that only leases keep.
  private var writtenOrigins: [String: PackOrigin] {
    guard origins.count > Self.originLimit else { return origins }
    let always = [generation, previous].compactMap(\.self)
    let others = origins.keys.filter { !always.contains($0) }.sorted()
    let names = Set(always + others.prefix(Self.originLimit - always.count))
    return origins.filter { names.contains($0.key) }
  }

  private struct Text: Decodable {
    var format: Int
    var generation: String
    var previous: String?
    var sequence: Int64
    var origins: [String: String]?
    var rolledBack: Digests?
    var rolledBackBefore: Digests?
    var switchedFrom: Digests?

    /// The packs that the app has left; by a rollback, if nothing else is said.
    var dismissed: DismissedPacks {
      let switched = Set(switchedFrom?.all ?? [])
      let digests = (rolledBackBefore?.all ?? []) + (rolledBack?.all ?? [])
      return DismissedPacks(
        digests.map {
          DismissedPacks.Member($0, by: switched.contains($0) ? .switching : .rollback)
        })
    }
  }

  /// One digest or a list of them; both were written under one name.
  private struct Digests: Decodable {
    var all: [SHA256Digest]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        all = [try container.decode(SHA256Digest.self)]
      } catch {
        all = try container.decode([SHA256Digest].self)
      }
    }
  }

  private struct Format: Decodable {
    var format: Int
  }

  /// The reason a file does not name a generation.
  package enum Flaw: Error, Hashable {
    case unreadable
    case newerFormat(Int)
  }

  /// Parses the content of the file.
  package init(bytes: [UInt8]) throws(Flaw) {
    let decoder = JSONDecoder()
    let data = Data(bytes)
    // A later format may have other members, so the format alone is read if this fails.
    guard let text = try? decoder.decode(Text.self, from: data), text.format <= Self.format else {
      let format = try? decoder.decode(Format.self, from: data).format
      if let format, format > Self.format { throw .newerFormat(format) }
      throw .unreadable
    }
    guard GenerationName(text.generation) != nil, text.sequence >= 0 else { throw .unreadable }
    generation = text.generation
    previous = text.previous.flatMap { GenerationName($0) == nil ? nil : $0 }
    sequence = text.sequence
    origins = (text.origins ?? [:]).compactMapValues(PackOrigin.init(rawValue:))
    dismissed = text.dismissed
  }

  // MARK: The file

  /// The statement of a folder about its current generation.
  package enum Content: Hashable, Sendable {
    case none
    case known(CurrentFile)
    /// A damaged file of this package, or another program's.
    case unreadable
    /// A link, a folder, or a longer file than this package writes.
    case foreign
    /// A file that a later version of this package has written.
    case newerFormat(Int)

    package var file: CurrentFile? {
      if case .known(let file) = self { return file }
      return nil
    }
  }

  /// Reads the file of a pack's folder.
  package static func content(of folder: PackFolder) throws(FileError) -> Content {
    let bytes: [UInt8]
    switch try folder.generations.readCurrent(upTo: ReadingLimit.packCurrent.most) {
    case .none: return .none
    case .unsuitable: return .foreign
    case .bytes(let content): bytes = content
    }
    do throws(Flaw) {
      return .known(try CurrentFile(bytes: bytes))
    } catch {
      switch error {
      case .unreadable: return .unreadable
      case .newerFormat(let format): return .newerFormat(format)
      }
    }
  }

  /// Replaces the file of a pack's folder, in one step and durably.
  package func write(to folder: PackFolder) throws {
    try folder.generations.replaceCurrent(with: bytes)
  }
}
