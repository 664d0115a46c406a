/// What ARCHITECTURE.md says about the house, as data.
enum ArchitectureTable {
  /// Modules that any file may import.
  static let everywhere: Set = [
    "Dispatch", "Foundation", "Observation", "Swift", "Synchronization",
  ]

  /// Which further modules each module of `Sources` may import: the arrows that point down.
  static let arrows: [String: Set<String>] = [
    "CSQLite": [],
    "CZip": [],
    "CCrypto": [],
    "CLinux": [],
    "HoldfastSQLite": ["CSQLite"],
    "HoldfastFiles": ["CCrypto", "CLinux", "CryptoKit"],
    "Holdfast": ["HoldfastSQLite", "HoldfastFiles", "UIKit"],
    "HoldfastTransit": ["Holdfast", "HoldfastFiles"],
    "HoldfastFeeds": ["HoldfastTransit", "Holdfast", "HoldfastFiles", "CZip"],
    "HoldfastTool": [
      "HoldfastFeeds", "HoldfastTransit", "Holdfast", "HoldfastFiles", "HoldfastSamples",
    ],
  ]

  /// The modules in C, each behind the one module that makes it safe.
  static let foreign: Set = ["CSQLite", "CZip", "CCrypto", "CLinux"]

  /// The names of libc, and the only folder that may say them.
  static let libc: Set = ["Android", "Bionic", "Darwin", "Glibc", "Musl"]
  static let doorToLibc = "Sources/HoldfastFiles/System/"

  /// The folders in which a pointer may occur.
  static let foldersWithPointers = [
    "Sources/HoldfastSQLite/", "Sources/HoldfastFiles/", "Sources/HoldfastFeeds/",
    "Samples/HoldfastSamples/",
    "Tests/HoldfastSQLiteTests/", "Tests/HoldfastFilesTests/", "Tests/HoldfastFeedsTests/",
    "Tests/HoldfastTests/", "Tests/HoldfastTestSupport/",
  ]

  /// Words that drop an error, trap without a sentence, or put work off.
  static let avoidedWords = ["try?", "catch _", "try!", "as!", "fatalError", "TODO", "FIXME"]

  /// Where an avoided word is right after all, how often, and why.
  static let exceptions = [
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/DatabaseWriter+TransactionObserver.swift",
      because: "nobody writes to a database that is closed: an observer has nothing to miss"),
    AllowedWord(
      "catch _", 2, in: "Sources/Holdfast/ConnectionPool.swift",
      because: "a deinit cannot throw, and the next access opens a connection anew"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/TrialDatabase.swift",
      because: "what is left behind lies in a folder that the system clears"),
    AllowedWord(
      "catch _", 1, in: "Sources/HoldfastSQLite/Database.swift",
      because: "the refusal itself says what went wrong, and the access is over in any case"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/ConnectionCare.swift",
      because: "a connection that was closed has no memory to free"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/DatabaseReader.swift",
      because: "it is the form for the end of a scope, which cannot throw"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Isolation.swift",
      because: "nothing is lost, and the next access begins by failing"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/DatabasePool.swift",
      because: "a pool that was closed has no memory to free"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/DatabaseQueue.swift",
      because: "a queue that was closed has no memory to free"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Sharing/BusyObstacle.swift",
      because: "the error that the database was busy is the one to tell"),
    AllowedWord(
      "catch _", 6, in: "Sources/HoldfastFiles/System/ProcessTable.swift",
      because: "a process that has ended, or is another user's, tells nothing of itself"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Watching/ForeignCommits.swift",
      because: "a writer that does not answer now is asked later"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Watching/CommitQuestion.swift",
      because: "a name that leads nowhere is no other file"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Watching/TableQuestion.swift",
      because: "what cannot be read may have changed everywhere, and that is told"),
    AllowedWord(
      "catch _", 3, in: "Sources/Holdfast/Watching/SignalFile.swift",
      because: "where the file is gone, nobody observes, and what cannot be looked at is not ours"),
    AllowedWord(
      "catch _", 1, in: "Sources/HoldfastFiles/DatabaseCompanion.swift",
      because: "a folder that may not be listed tells no other name of a file"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Watching/FileWatch.swift",
      because: "a path that leads nowhere yet stays as it is"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Watching/CommitFingerprint.swift",
      because: "a file that is not there is part of the fingerprint"),
    AllowedWord(
      "try?", 1, in: "Sources/HoldfastFiles/System/DirectoryEvents+Kqueue.swift",
      because: "a log that is not there yet is told of by its directory when it comes"),
    AllowedWord(
      "catch _", 1, in: "Sources/HoldfastSQLite/Transaction.swift",
      because: "the first error is the one to tell"),
    AllowedWord(
      "catch _", 1, in: "Sources/HoldfastSQLite/DatabaseBackup.swift",
      because: "the copy is committed, and nothing thrown could undo it"),
    AllowedWord(
      "catch _", 1, in: "Sources/Holdfast/Sharing/SharedDatabase.swift",
      because: "the first error is the one to tell; the copy goes with the next move"),
    AllowedWord(
      "catch _", 1, in: "Sources/HoldfastFiles/LockHolder.swift",
      because: "who holds a lock is advice, and not to be told is an answer"),
    AllowedWord(
      "try?", 1, in: "Sources/HoldfastFiles/System/OpenFile.swift",
      because: "a deinit cannot throw, and a file that was written was synced before"),
    AllowedWord(
      "try?", 1, in: "Sources/HoldfastFiles/RelocatablePath.swift",
      because: "the failable initializer says no more than that"),
    AllowedWord(
      "try?", 5, in: "Sources/HoldfastFiles/Container.swift",
      because: "a root that cannot be had is not where a path lies; the next one is asked"),
    AllowedWord(
      "try?", 2, in: "Sources/HoldfastFiles/FileLock.swift",
      because: "a deinit cannot throw, and closing gives the lock back in any case"),
    AllowedWord(
      "try?", 1, in: "Sources/HoldfastFiles/AtomicReplace.swift",
      because: "the first error is the one to tell; leftovers go with the next replacement"),
    AllowedWord(
      "try?", 3, in: "Sources/HoldfastFeeds/ZipArchive.swift",
      because: "a file that cannot be read is reported by the archive library a line later"),
    AllowedWord(
      "try?", 2, in: "Sources/HoldfastFeeds/FeedFolder.swift",
      because: "what cannot be looked at is no file of the feed"),
    AllowedWord(
      "try?", 4, in: "Sources/HoldfastTool/Printing/Console.swift",
      because: "there is no place left to complain that standard error cannot be written"),
    AllowedWord(
      "fatalError", 1, in: "Sources/HoldfastFiles/SHA256.swift",
      because: "a digest cannot be begun without memory, and no caller could go on"),
    AllowedWord(
      "fatalError", 1, in: "Sources/HoldfastSQLite/DatabaseError+Messages.swift",
      because: "misuse ends the process with a sentence, in release builds too"),
  ]

  /// User names of examples; any other home folder is somebody's machine.
  static let inventedUsers: Set = ["ann", "me", "someone"]
}

/// An avoided word that one file may use.
struct AllowedWord {
  var file: String
  var word: String
  var count: Int
  var because: String

  init(_ word: String, _ count: Int, in file: String, because: String) {
    (self.file, self.word, self.count, self.because) = (file, word, count, because)
  }
}
