#if os(Linux)
  import Foundation

  /// A successful call of a traced process that opens, closes, changes, renames or removes a file.
  struct FileCall: Sendable {
    enum Action: Sendable {
      case opening(descriptor: Int, path: String, flags: Set<String>)
      case closing(descriptor: Int, path: String)
      /// A change of the content; without a descriptor, by path.
      case change(descriptor: Int?, path: String)
      case renaming(from: String, to: String, isExchange: Bool)
      case removal(path: String)
    }

    /// A line that is no call as strace prints it.
    struct Unreadable: Error {
      var line: String
    }

    /// The role of the process.
    let process: String
    /// When the call began to have its effect, in seconds.
    let time: Double
    let name: String
    let action: Action

    /// Returns the calls of a trace, in order.
    ///
    /// - Parameters:
    ///   - file: A trace with times and paths.
    ///   - process: The role of the process.
    ///   - folder: The path of the folder whose files matter.
    /// - Returns: The calls that succeeded.
    /// - Throws: A `CocoaError`; `Unreadable`.
    static func calls(
      in file: URL, of process: String, below folder: String
    ) throws -> [FileCall] {
      // A call that is interrupted by one of another thread has two lines.
      var begun: [Substring: (time: Double, text: Substring)] = [:]
      var calls: [FileCall] = []
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let time = Double(words[1]) else {
          throw Unreadable(line: String(line))
        }
        let (thread, text) = (words[0], words[2])
        if text.hasPrefix("<... ") {
          guard let end = text.range(of: " resumed>"), let first = begun[thread] else {
            // It had begun before the trace.
            continue
          }
          begun[thread] = nil
          try calls += call(
            String(first.text + text[end.upperBound...]), process, (first.time, time), folder)
        } else if let end = text.range(of: " <unfinished ...>", options: [.backwards, .anchored]) {
          begun[thread] = (time, text[..<end.lowerBound])
        } else {
          try calls += call(String(text), process, (time, time), folder)
        }
      }
      return calls
    }

    private static func call(
      _ text: String, _ process: String, _ times: (begin: Double, end: Double), _ folder: String
    ) throws -> [FileCall] {
      guard text.contains(folder), let open = text.firstIndex(of: "("),
        let result = text.range(of: " = ", options: .backwards)
      else { return [] }
      let answer = text[result.upperBound...]
      guard answer.first?.isNumber == true else { return [] }
      let name = String(text[..<open])
      let arguments = text[text.index(after: open)..<result.lowerBound]
      let paths = paths(in: arguments)
      func first<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Unreadable(line: text) }
        return value
      }
      func action() throws -> [Action] {
        let descriptors = descriptors(in: arguments)
        switch name {
        case "open", "openat", "openat2", "creat":
          let opened = try first(Self.descriptors(in: answer).first)
          let flags = arguments.split { !$0.isLetter && $0 != "_" }.map(String.init)
          return [
            .opening(
              descriptor: opened.number, path: opened.path,
              flags: Set(name == "creat" ? ["O_WRONLY", "O_CREAT", "O_TRUNC"] : flags))
          ]
        case "dup", "dup2", "dup3":
          // Which code would close the copy is unknown.
          throw Unreadable(line: text)
        case "close":
          let closed = try first(descriptors.first)
          return [.closing(descriptor: closed.number, path: closed.path)]
        case "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "fallocate",
          "sendfile", "ioctl":
          let changed = try first(descriptors.first)
          return [.change(descriptor: changed.number, path: changed.path)]
        case "copy_file_range":
          let changed = try first(descriptors.dropFirst().first)
          return [.change(descriptor: changed.number, path: changed.path)]
        case "truncate": return [.change(descriptor: nil, path: try first(paths.first))]
        case "rename", "renameat", "renameat2":
          return [
            .renaming(
              from: try first(paths.first), to: try first(paths.dropFirst().first),
              isExchange: arguments.contains("RENAME_EXCHANGE"))
          ]
        case "unlink", "unlinkat": return [.removal(path: try first(paths.first))]
        default: throw Unreadable(line: text)
        }
      }
      return try action().map { action in
        // An opening has its effect before it returns, the others after they were called.
        if case .opening = action {
          FileCall(process: process, time: times.end, name: name, action: action)
        } else {
          FileCall(process: process, time: times.begin, name: name, action: action)
        }
      }
    }

    /// Returns the descriptors of a text such as `5</folder/file>, 6</folder/other>`.
    private static func descriptors(in text: Substring) -> [(number: Int, path: String)] {
      var found: [(Int, String)] = []
      var rest = text
      while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
        let digits = rest[..<start].reversed().prefix { $0.isNumber }.reversed()
        if let number = Int(String(digits)) {
          found.append((number, String(rest[rest.index(after: start)..<end])))
        }
        rest = rest[rest.index(after: end)...]
      }
      return found
    }

    /// Returns the quoted paths of a text such as `5</folder>, "file"`.
    private static func paths(in text: Substring) -> [String] {
      let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
      return stride(from: 1, to: parts.count - 1, by: 2).map { index in
        let path = parts[index]
        guard !path.hasPrefix("/"), let start = parts[index - 1].lastIndex(of: "<"),
          let end = parts[index - 1].lastIndex(of: ">"), start < end
        else { return String(path) }
        return "\(parts[index - 1][parts[index - 1].index(after: start)..<end])/\(path)"
      }
    }
  }
#endif
