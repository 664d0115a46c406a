import Foundation
import Holdfast
import HoldfastFiles
import HoldfastMaps
import HoldfastPacks

/// The work with packs of the processes that a campaign starts, each in a folder.
enum FairWork {
  /// The exit status of work that ended with an error.
  static let failure: Int32 = 3

  /// The name of the file with the error of such work.
  static let errorName = "error"

  /// Runs work after a mark, and ends the process with ``failure`` when it throws.
  static func run(_ path: String, _ work: @escaping @Sendable (PackApp) async throws -> Void) throws
  {
    let app = try PackApp(at: URL(filePath: path))
    // A call that is seen in a trace and does nothing else.
    kill(getpid(), 0)
    do {
      try awaiting { try await work(app) }
    } catch {
      // On a full disk it cannot be written, and is not needed.
      try? Data("\(error)".utf8).write(to: app.folder.appending(path: errorName))
      exit(failure)
    }
  }

  /// Returns the error of work that failed.
  static func error(in folder: URL) -> String {
    // Without such a file it ended in another way.
    (try? String(contentsOf: folder.appending(path: errorName), encoding: .utf8)) ?? "none"
  }

  /// Replaces a built pack.
  @Sendable static func build(_ app: PackApp) async throws {
    try FairBuild(in: app.folder).replace(by: "1.1")
  }

  @Sendable static func install(_ app: PackApp) async throws {
    let report = try await app.install("1.1")
    guard let map = report.url(ofFileAt: FairPack.map),
      try await Tileset(at: map).tile(at: TileCoordinate(z: 14, x: 16065, y: 10257)) != nil
    else { throw PackCampaignError.failed("There is no tile. \(report.reason)") }
  }

  @Sendable static func switchBack(_ app: PackApp) async throws {
    guard let previous = try app.store.previous(app.pack) else {
      throw PackCampaignError.failed("There is no previous generation.")
    }
    _ = try await app.store.switchTo(previous.name, of: app.pack)
  }

  @Sendable static func rollback(_ app: PackApp) async throws {
    _ = try await app.store.rollback(app.pack)
  }

  @Sendable static func clean(_ app: PackApp) async throws {
    if let problem = await app.store.clean(app.pack).problem {
      throw PackCampaignError.failed(problem)
    }
  }

  /// Opens the user's program: created, carried over or merged, as the folder demands.
  @Sendable static func open(_ app: PackApp) async throws {
    try await app.openProgram().close()
  }
}
