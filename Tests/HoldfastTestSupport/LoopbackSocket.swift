#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// TCP sockets on the loopback interface, blocking.
enum LoopbackSocket {
  struct Refused: Error { var call: String }

  private static func make() throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw Refused(call: "socket") }
    return descriptor
  }

  /// Returns a socket that accepts connections at a port; 0 lets the system choose.
  static func listen(port: UInt16 = 0) throws -> Int32 {
    let descriptor = try make()
    var isOn: Int32 = 1
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port: port)
    let isBound = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    #if canImport(Darwin)
      let listens = isBound && Darwin.listen(descriptor, 64) == 0
    #else
      let listens = isBound && Glibc.listen(descriptor, 64) == 0
    #endif
    guard listens else {
      close(descriptor)
      throw Refused(call: "bind")
    }
    return descriptor
  }

  /// Returns a socket that is connected to a port.
  static func connect(port: UInt16) throws -> Int32 {
    let descriptor = try make()
    var address = address(port: port)
    let isConnected = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        #if canImport(Darwin)
          return unsafe Darwin.connect(descriptor, address, length) == 0
        #else
          return unsafe Glibc.connect(descriptor, address, length) == 0
        #endif
      }
    }
    guard isConnected else {
      close(descriptor)
      throw Refused(call: "connect")
    }
    return descriptor
  }

  /// Returns the port of a socket.
  static func port(of descriptor: Int32) throws -> Int {
    var address = address(port: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe getsockname(descriptor, address, &length) == 0
      }
    }
    guard isKnown else { throw Refused(call: "getsockname") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits for a connection; `nil` when the socket was shut down.
  static func accept(_ descriptor: Int32) -> Int32? {
    while true {
      #if canImport(Darwin)
        let connection = Darwin.accept(descriptor, nil, nil)
      #else
        let connection = Glibc.accept(descriptor, nil, nil)
      #endif
      if connection >= 0 {
        // A child process would keep the connection open.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        return connection
      }
      if errno != EINTR { return nil }
    }
  }

  /// Reads what has arrived; empty at the end.
  static func receive(_ descriptor: Int32) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
    }
    return Array(buffer.prefix(max(count, 0)))
  }

  /// Writes all bytes; returns false when the other side has gone.
  static func send(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          unsafe Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #else
          unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns whether the other side has ended a connection on which it sends nothing more.
  static func isEnded(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    let count = unsafe recv(descriptor, &byte, 1, flags)
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }

  /// Ends a connection, with a reset instead of an end when the other side shall notice a fault.
  static func end(_ descriptor: Int32, byReset: Bool) {
    if byReset {
      var linger = linger(l_onoff: 1, l_linger: 0)
      _ = unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
    if !byReset { shutdown(descriptor, Int32(SHUT_RDWR)) }
    close(descriptor)
  }

  /// Ends waiting for connections.
  static func shutDown(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

/// A port of the loopback interface that nothing listens on.
enum FreePort {
  static func next() throws -> Int {
    let descriptor = try LoopbackSocket.listen()
    defer { LoopbackSocket.end(descriptor, byReset: false) }
    return try LoopbackSocket.port(of: descriptor)
  }
}
