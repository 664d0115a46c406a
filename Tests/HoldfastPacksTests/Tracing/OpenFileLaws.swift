#if os(Linux)
  /// The laws about open files, against which the calls of several processes are checked.
  ///
  /// SQLite opens its files with `O_NOFOLLOW`; the library's own openings with this flag have
  /// `O_NONBLOCK` or `O_DIRECTORY` too, apart from those of copies that no process reads yet, and of
  /// lock files, which have no content.
  struct OpenFileLaws {
    enum Law: String {
      /// A descriptor of a file that SQLite has open in the process is closed by other code.
      case closedOutsideSQLite
      /// Other code than SQLite changes a file that is open for reading.
      case changed
      /// A file that is open for reading loses its name.
      case renamed
      /// Another file gets the name of a file that is open for reading.
      case replaced
      /// The name of a file that is open for reading is removed.
      case removed
      /// The log of a database, or its index, is renamed or removed.
      case logMoved
    }

    struct Breach: Hashable, CustomStringConvertible {
      var law: Law
      var process: String
      var path: String

      var description: String { "\(law.rawValue): \(path), by \(process)" }
    }

    private struct File {
      var identity: Int
      var isSQLite: Bool
      var isReading: Bool
    }

    private let folder: String
    private let exempt: Set<String>
    private var identities: [String: Int] = [:]
    private var lastIdentity = 0
    private var open: [String: [Int: File]] = [:]

    /// What was not lawful, in order.
    private(set) var breaches: [Breach] = []

    /// The files that SQLite has opened in each process.
    private(set) var databases: [String: Set<String>] = [:]

    /// The files that other code has opened in each process while SQLite had them open.
    private(set) var openedTwice: [String: Set<String>] = [:]

    /// The names that each process has removed, or given to another file.
    private(set) var lostNames: [String: Set<String>] = [:]

    /// Checks calls.
    ///
    /// - Parameters:
    ///   - calls: The calls of all processes.
    ///   - folder: The path of the folder whose files matter; what is recorded is relative to it.
    ///   - exempt: The processes to which the second law does not apply.
    init(_ calls: [FileCall], below folder: String, exempt: Set<String> = []) {
      self.folder = folder + "/"
      self.exempt = exempt
      // Calls of one process at one time stay in order, because the sort is stable.
      for call in calls.sorted(by: { $0.time < $1.time }) { check(call) }
    }

    private mutating func check(_ call: FileCall) {
      let process = call.process
      switch call.action {
      case .opening(let descriptor, let path, let flags):
        guard let name = name(path) else { return }
        let isSQLite =
          flags.contains("O_NOFOLLOW") && flags.isDisjoint(with: ["O_NONBLOCK", "O_DIRECTORY"])
        let identity = identity(path)
        if isSQLite {
          databases[process, default: []].insert(name)
        } else if isOpenInSQLite(identity, process) {
          openedTwice[process, default: []].insert(name)
        }
        if flags.contains("O_TRUNC") { demandUnread(path, .changed, process) }
        open[process, default: [:]][descriptor] = File(
          identity: identity, isSQLite: isSQLite,
          isReading: isSQLite || flags.contains("O_RDONLY") && !flags.contains("O_DIRECTORY"))
      case .closing(let descriptor, let path):
        guard name(path) != nil else { return }
        let file = open[process]?.removeValue(forKey: descriptor)
        if file?.isSQLite != true, isOpenInSQLite(file?.identity ?? identity(path), process) {
          note(.closedOutsideSQLite, path, process)
        }
      case .change(let descriptor, let path):
        guard name(path) != nil else { return }
        let file = descriptor.flatMap { open[process]?[$0] }
        // SQLite's own locks protect what it writes.
        if file?.isSQLite == true { return }
        demandUnread(path, of: file?.identity, .changed, process)
      case .renaming(let from, let to, let isExchange):
        for path in [from, to] { demandNoLog(path, process) }
        let inside = identities.keys.filter { $0.hasPrefix(from + "/") || $0 == from }
        for path in inside.sorted() { demandUnread(path, .renamed, process) }
        let replaced = identities.keys.filter { $0.hasPrefix(to + "/") || $0 == to }
        for path in replaced.sorted() {
          demandUnread(path, isExchange ? .renamed : .replaced, process)
        }
        if let name = name(from) { lostNames[process, default: []].insert(name) }
        let moved = inside.map {
          (to + $0.dropFirst(from.count), identities.removeValue(forKey: $0))
        }
        let back = replaced.map {
          (from + $0.dropFirst(to.count), identities.removeValue(forKey: $0))
        }
        for (path, identity) in isExchange ? moved + back : moved { identities[path] = identity }
      case .removal(let path):
        guard let name = name(path) else { return }
        demandNoLog(path, process)
        demandUnread(path, .removed, process)
        lostNames[process, default: []].insert(name)
        identities[path] = nil
      }
    }

    /// The path below the folder; `nil` when it lies elsewhere, or is that of a lock file.
    private func name(_ path: String) -> String? {
      guard path.hasPrefix(folder) else { return nil }
      let last = path.split(separator: "/").last ?? ""
      if last.hasPrefix("."), last.hasSuffix("lock") || last.hasSuffix(".opening") { return nil }
      return String(path.dropFirst(folder.count))
    }

    private mutating func identity(_ path: String) -> Int {
      if let known = identities[path] { return known }
      lastIdentity += 1
      identities[path] = lastIdentity
      return lastIdentity
    }

    private func isOpenInSQLite(_ identity: Int, _ process: String) -> Bool {
      open[process]?.values.contains { $0.identity == identity && $0.isSQLite } == true
    }

    private mutating func demandUnread(
      _ path: String, of known: Int? = nil, _ law: Law, _ process: String
    ) {
      guard !exempt.contains(process), let identity = known ?? identities[path] else { return }
      if [.replaced, .removed].contains(law), Self.isRecord(path) { return }
      let isRead = open.values.contains { files in
        files.values.contains { $0.identity == identity && $0.isReading }
      }
      if isRead { note(law, path, process) }
    }

    /// Whether a file is a record of the store, which is replaced or removed as a whole, and read at
    /// once: the pointer to the current generation, what was verified, or a lease.
    private static func isRecord(_ path: String) -> Bool {
      let names = path.split(separator: "/").suffix(2)
      return names.first == "leases" || ["current", "verified"].contains(names.last)
    }

    private mutating func demandNoLog(_ path: String, _ process: String) {
      guard !exempt.contains(process), path.hasSuffix("-wal") || path.hasSuffix("-shm") else {
        return
      }
      note(.logMoved, path, process)
    }

    private mutating func note(_ law: Law, _ path: String, _ process: String) {
      guard let name = name(path) else { return }
      breaches.append(Breach(law: law, process: process, path: name))
    }
  }
#endif
