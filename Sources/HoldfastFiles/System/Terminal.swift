#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal, the standard descriptors and the signals of this process.
package enum Terminal {
  /// Returns whether a descriptor refers to a terminal.
  ///
  /// - Parameter descriptor: A descriptor; a closed one refers to no terminal.
  /// - Returns: `true` when it refers to a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Returns the width of the terminal that a descriptor refers to.
  ///
  /// - Parameter descriptor: An open descriptor.
  /// - Returns: The width in columns; `nil` when there is no terminal or its width is unknown.
  package static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Opens each standard descriptor that the process was started without.
  ///
  /// Otherwise the next opened file would get the number of standard output, and printed text would
  /// be written into it. Reading from or writing to such a descriptor fails with EBADF, as it does
  /// for a closed one.
  package static func occupyClosedStandardDescriptors() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is taken, which is this one.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Makes writing to a pipe without a reader fail (EPIPE) instead of terminating the process.
  package static func ignoreBrokenPipes() {
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// The signals that request the process to terminate: by Ctrl-C, `kill`, a closed terminal, and
  /// Ctrl-\.
  package static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Returns whether a signal is ignored, such as SIGINT in a script's background job.
  ///
  /// - Parameter number: The number of a signal.
  /// - Returns: `true` when the signal is ignored.
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

  /// Disables a signal's default action once a dispatch source handles it.
  ///
  /// - Parameter number: A signal that a source has been registered for.
  package static func leaveToDispatch(_ number: Int32) {
    // Dispatch on Linux takes over the signal itself, and does not receive an ignored one.
    #if canImport(Darwin)
      _ = signal(number, SIG_IGN)
    #endif
  }
}
