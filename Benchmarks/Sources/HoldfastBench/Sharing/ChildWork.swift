import Foundation
import Holdfast
import HoldfastFiles

/// The work of a process that a benchmark starts.
enum ChildWork: String {
  /// Writes pairs of rows as fast as possible and prints a byte for each commit that returned.
  case writePairs

  /// Writes, checkpoints, suspends, resumes and closes at random, and prints the number of commits.
  case checkpointAtRandom

  /// Inserts rows, and prints the time of each commit.
  case insertItems

  /// The same with SQLite's own automatic checkpoint.
  case insertItemsWithOwnCheckpoint

  /// Opens a pool, suspends it, reports that, and waits forever.
  case suspend

  /// Repairs a moved container and prints how much memory it took at most.
  case repair

  /// Checks at launch whether a container moved, with a mark before and after.
  case checkLaunch

  /// Downloads a file after a mark, and records it.
  case completeDownload

  /// Downloads a file again after a mark, and records it.
  case completeForcedDownload

  /// Moves a file to the caches after a mark.
  case moveToCaches

  /// Moves a file to the documents after a mark.
  case moveToDocuments

  /// Downloads a large file, checks it, and prints how much memory that took at most.
  case downloadLargeFile

  /// Installs a large pack, and prints how much memory that took at most.
  case installLargePack

  /// Converts a large tileset, and prints how much memory that took at most.
  case convertTileset

  /// Reads a pack while it is upgraded, until the last version, and prints what went wrong.
  case followFair

  /// Imports a feed, and prints how much memory that took at most.
  case importFeed

  /// Reads a feed for a report, and prints how much memory that took at most.
  case reportFeed

  /// Finds journeys, and prints how much memory that took at most.
  case findJourneys

  func run(_ path: String) throws {
    switch self {
    case .writePairs: try writePairs(path)
    case .checkpointAtRandom: try CheckpointWork.run(path)
    case .insertItems: try CheckpointRounds.insert(path, hasOwnCheckpoint: false)
    case .insertItemsWithOwnCheckpoint: try CheckpointRounds.insert(path, hasOwnCheckpoint: true)
    case .suspend: try suspend(path)
    case .repair: try FileWork.repair(path)
    case .checkLaunch: try FileWork.checkLaunch(path)
    case .completeDownload: try FileWork.completeDownload(path, isForced: false)
    case .completeForcedDownload: try FileWork.completeDownload(path, isForced: true)
    case .moveToCaches: try FileWork.move(path, to: .caches)
    case .moveToDocuments: try FileWork.move(path, to: .documents)
    case .downloadLargeFile: try FileWork.downloadLargeFile(path)
    case .installLargePack: try LargePack.install(path)
    case .convertTileset: try TilesetWorkCases.convert(path)
    case .followFair: try FairReader.follow(path)
    case .importFeed: try FeedWork.importFeed(path)
    case .reportFeed: try FeedWork.reportFeed(path)
    case .findJourneys: try JourneyWork.find(path)
    }
  }

  private func writePairs(_ path: String) throws {
    let pool = try DatabasePool(path: path)
    var number = 0
    while true {
      number += 1
      try pool.write { db in
        for side in ["left", "right"] {
          try db.execute(
            sql: "INSERT INTO pair VALUES (?, ?, zeroblob(?))",
            arguments: [number, side, number * 379 % 9000])
        }
      }
      try FileHandle.standardOutput.write(contentsOf: Data([1]))
      if number.isMultiple(of: 7) { try pool.checkpoint(.truncate) }
    }
  }

  private func suspend(_ path: String) throws {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    let inside = DispatchSemaphore(value: 0)
    // It is idle in a transaction when it is suspended, which is the worst case of an app.
    Thread.detachNewThread {
      try? pool.write { db in
        try db.execute(sql: "INSERT INTO pair VALUES (0, 'left', NULL)")
        inside.signal()
        while true { pause() }
      }
    }
    inside.wait()
    let report = pool.suspend(within: .seconds(10))
    try FileHandle.standardOutput.write(contentsOf: Data([report.isFree ? 1 : 0]))
    while true { pause() }
  }
}
