/// What ARCHITECTURE.md says about the house, as data.
enum ArchitectureTable {
  /// Modules that any file may import.
  static let everywhere: Set = ["Dispatch", "Foundation", "Swift", "Synchronization"]

  /// Which further modules each module of `Sources` may import: the arrows that point down.
  static let arrows: [String: Set<String>] = [
    "CSQLite": [],
    "CZip": [],
    "CCrypto": [],
    "HoldfastSQLite": ["CSQLite"],
    "HoldfastFiles": ["CCrypto", "CryptoKit"],
    "Holdfast": ["HoldfastSQLite", "HoldfastFiles"],
    "HoldfastTransit": ["Holdfast", "HoldfastFiles"],
    "HoldfastFeeds": ["HoldfastTransit", "Holdfast", "HoldfastFiles", "CZip"],
    "HoldfastTool": ["HoldfastFeeds", "HoldfastTransit", "Holdfast", "HoldfastFiles"],
  ]

  /// The modules in C, each behind the one module that makes it safe.
  static let foreign: Set = ["CSQLite", "CZip", "CCrypto"]

  /// The names of libc, and the only file that may say them.
  static let libc: Set = ["Android", "Bionic", "Darwin", "Glibc", "Musl"]
  static let doorToLibc = "Sources/HoldfastFiles/SystemCalls.swift"

  /// The folders in which a pointer may occur.
  static let foldersWithPointers = [
    "Sources/HoldfastSQLite/", "Sources/HoldfastFiles/", "Sources/HoldfastFeeds/",
    "Tests/HoldfastSQLiteTests/", "Tests/HoldfastFilesTests/", "Tests/HoldfastFeedsTests/",
    "Tests/HoldfastTestSupport/",
  ]

  /// Words that drop an error, trap without a sentence, or put work off.
  static let avoidedWords = ["try?", "try!", "as!", "fatalError", "TODO", "FIXME"]

  /// Where an avoided word is right after all, how often, and why.
  static let exceptions: [AllowedWord] = []

  /// User names of examples; any other home folder is somebody's machine.
  static let inventedUsers: Set = ["ann", "me", "someone"]
}

/// An avoided word that one file may use.
struct AllowedWord {
  var file: String
  var word: String
  var count: Int
  var because: String
}
