import Synchronization

/// A folder with the leases of generations.
package struct LeaseFolder: Sendable {
  package let path: FilePath

  package init(_ path: FilePath) {
    self.path = path
  }

  private static let lastSerial = Atomic<UInt64>(0)

  /// Returns a lease of this process, which is not recorded yet.
  ///
  /// - Parameters:
  ///   - generation: The name of the generation, without a `~`.
  ///   - role: The name of the process's role, without a `~`.
  /// - Returns: A lease that other processes do not see before ``record(_:isOnlyOne:)``.
  package static func lease(_ generation: String, for role: String) -> Lease {
    Lease(
      role: role, scope: .current, process: .current,
      serial: lastSerial.add(1, ordering: .relaxed).newValue, generation: generation)
  }

  /// Records a lease, and removes those that it replaces.
  ///
  /// It need not survive a power loss, because no process does.
  ///
  /// - Parameters:
  ///   - lease: The lease.
  ///   - isOnlyOne: Whether at most one process has the role of the lease at a time.
  /// - Throws: ``FileError`` when its file cannot be created.
  package func record(_ lease: Lease, isOnlyOne: Bool = false) throws(FileError) {
    let file = path.appending([lease.name])
    do throws(Errno) {
      do throws(Errno) {
        try SystemCalls.openFile(file.text, for: .createNew).close()
      } catch .notFound {
        do throws(Errno) {
          try SystemCalls.makeDirectory(path.text)
        } catch .alreadyExists {
          // Another process or thread was faster.
        }
        try SystemCalls.openFile(file.text, for: .createNew).close()
      }
    } catch {
      throw .couldNotReplace(file, error)
    }
    guard isOnlyOne else { return }
    // A lease that is not replaced now ends with its process, or with the system's start.
    for other in (try? leases()) ?? [] where other.isReplaced(by: lease) {
      release(other)
    }
  }

  /// Removes a lease.
  ///
  /// One that cannot be removed ends with its process.
  package func release(_ lease: Lease) {
    try? SystemCalls.remove(path.appending([lease.name]).text)
  }

  /// Returns the leases of all processes.
  package func leases() throws(FileError) -> [Lease] {
    do throws(Errno) {
      var leases: [Lease] = []
      var folder = try OpenDirectory(path.text)
      while let entry = try folder.next() {
        if let lease = entry.name.flatMap(Lease.init(name:)) { leases.append(lease) }
      }
      return leases
    } catch .notFound {
      return []
    } catch {
      throw .couldNotRead(path, error)
    }
  }

  /// A lease, and whether its process uses the generation.
  package struct Use: Hashable, Sendable {
    package let lease: Lease
    package let standing: Lease.Standing

    package init(_ lease: Lease, _ standing: Lease.Standing) {
      (self.lease, self.standing) = (lease, standing)
    }
  }

  /// Returns the leases of all processes, each with whether its generation is in use by it.
  package func uses() throws(FileError) -> [Use] {
    let scope = ProcessScope.current
    return try leases().map { Use($0, $0.standing(in: scope) { $0.presence }) }
  }

  /// Returns the leases that processes hold, or may hold, by their generations, and removes those that
  /// have ended.
  package func usesByGeneration() throws(FileError) -> [String: [Use]] {
    var found: [String: [Use]] = [:]
    for use in try uses() {
      if use.standing == .ended {
        release(use.lease)
      } else {
        found[use.lease.generation, default: []].append(use)
      }
    }
    return found
  }
}
