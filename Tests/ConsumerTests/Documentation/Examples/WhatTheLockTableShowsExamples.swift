// The Swift of WhatTheLockTableShows.md, compiled: WhatTheLockTableShowsTests finds each block of it
// here, and runs it for the outputs of the article.

import Foundation
import Holdfast

func lines(ofLocksOn url: URL) throws -> [String] {
  try LockTable(ofDatabaseAt: url).locks.map { lock in "\(lock)" }
}
