#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the standard descriptors lead to, and what the terminal may do to the process.
package enum Terminal {
  /// Tells whether a descriptor leads to a terminal.
  ///
  /// - Parameter descriptor: An open descriptor; one that is closed leads to no terminal.
  /// - Returns: `true` when a person may be watching.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Measures the terminal behind a descriptor.
  ///
  /// - Parameter descriptor: An open descriptor.
  /// - Returns: The width in columns; `nil` when there is no terminal or it does not know its width.
  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Occupies each standard descriptor that the process was started without.
  ///
  /// Otherwise the next file to be opened would get the number of standard output, and whatever
  /// is printed would go into it. Reading from or writing to an occupied descriptor goes on
  /// failing with EBADF, as it does for a closed one.
  package static func occupyClosedStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is taken, which is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Makes writing to a pipe that nobody reads an error (EPIPE) instead of the process's end.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The signals by which a person or the system asks a process to end: Ctrl-C and `kill`.
  package static let endingSignals = [SIGINT, SIGTERM]

  /// Tells whether a signal has no effect, as SIGINT under `nohup` or for a script's background job.
  ///
  /// - Parameter number: The number of a signal.
  /// - Returns: `true` when whoever started the process wants it to go on.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    // Function pointers cannot be compared; SIG_IGN is the address 1 on Linux and Darwin.
    return unsafe unsafeBitCast(handler, to: Int.self) == 1
  }

  /// Takes away a signal's usual effect once a dispatch source listens to it.
  ///
  /// - Parameter number: A signal that a source has been registered for.
  package static func leaveToDispatch(_ number: Int32) {
    // Linux's Dispatch takes the signal over itself, and gets none that is ignored.
    #if canImport(Darwin)
      _ = signal(number, SIG_IGN)
    #endif
  }
}
