import Foundation

/// The way in which this tool was called, so that a suggested command works when it is pasted.
struct Invocation {
  /// The first word of the command line.
  var word: String
  var currentFolder: String

  /// The invocation of this process.
  static var ofThisProcess: Invocation {
    Invocation(
      word: CommandLine.arguments.first ?? "holdfast",
      currentFolder: FileManager.default.currentDirectoryPath)
  }

  /// The shortest shell command that runs the same program from the same folder.
  var command: String {
    let path = Self.withoutPlatform(word) ?? word
    let start = currentFolder.hasSuffix("/") ? currentFolder : currentFolder + "/"
    guard path.utf8.starts(with: start.utf8) else { return path.quotedForShell }
    let relative = String(Substring(path.utf8.dropFirst(start.utf8.count)))
    // Without a slash the shell would look the word up in PATH.
    let isInFolder = relative.utf8.contains(UInt8(ascii: "/"))
    return (isInFolder ? relative : "./\(relative)").quotedForShell
  }

  /// Returns the path without the platform's folder, if SwiftPM's link that omits it exists.
  private static func withoutPlatform(_ path: String) -> String? {
    var names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard names.count > 3, names[names.count - 4] == ".build" else { return nil }
    names.remove(at: names.count - 3)
    let short = names.joined(separator: "/")
    let files = [path, short].map { URL(filePath: $0).resolvingSymlinksInPath() }
    return files[0] == files[1] ? short : nil
  }
}

extension String {
  /// This text, quoted as one word of a shell command.
  var quotedForShell: String {
    let isPlain = utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "_./:=@%+,-".utf8.contains(byte)
      }
    }
    guard !isPlain || isEmpty else { return self }
    // Scalars, because a quote and an accent after it are one `Character`, but the shell still sees
    // a quote.
    return "'" + unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }
}
