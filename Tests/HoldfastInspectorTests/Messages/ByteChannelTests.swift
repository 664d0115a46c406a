import Foundation
import Testing

@testable import HoldfastInspector

/// The buffer between what makes bytes and a connection.
@Suite struct ByteChannelTests {
  private func text(_ piece: ByteChannel.Piece) -> String? {
    guard case .bytes(let bytes) = piece else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func bytesArriveInOrderAndEnd() {
    let channel = ByteChannel()
    #expect(channel.send(Data("a".utf8)) && channel.offer(Data("b".utf8)))
    channel.finish()
    #expect(!channel.send(Data("c".utf8)))
    #expect(text(channel.receive()) == "a")
    #expect(text(channel.receive()) == "b")
    guard case .end = channel.receive() else { return #expect(Bool(false), "no end") }
  }

  @Test func whatIsIncompleteDoesNotLookWhole() {
    let channel = ByteChannel()
    _ = channel.send(Data("a".utf8))
    channel.finish(complete: false)
    #expect(text(channel.receive()) == "a")
    guard case .failure = channel.receive() else { return #expect(Bool(false), "no failure") }
  }

  @Test func aFullChannelTakesNothingWithoutWaiting() {
    let channel = ByteChannel(capacity: 10)
    #expect(channel.offer(Data(count: 11)))
    #expect(!channel.offer(Data(count: 1)))
    _ = channel.receive()
    #expect(channel.offer(Data(count: 1)))
  }

  @Test func aFullChannelThatIsBrokenOffSaysWhy() {
    let channel = ByteChannel(capacity: 10)
    _ = channel.send(Data(count: 11))
    channel.breakOff(Data("why".utf8))
    channel.breakOff(Data("again".utf8))
    guard case .bytes(Data(count: 11)) = channel.receive(),
      case .bytes(Data("why".utf8)) = channel.receive(), case .failure = channel.receive()
    else {
      Issue.record()
      return
    }
  }

  @Test func aFullChannelWaitsForItsReceiver() {
    let channel = ByteChannel(capacity: 10)
    let isSent = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      for _ in 0..<100 { _ = channel.send(Data(count: 11)) }
      channel.finish()
      isSent.signal()
    }
    var count = 0
    while case .bytes(let bytes) = channel.receive() { count += bytes.count }
    isSent.wait()
    #expect(count == 1100)
  }

  @Test func aSenderLearnsThatItsReceiverIsGone() {
    let channel = ByteChannel(capacity: 10)
    let isTold = DispatchSemaphore(value: 0)
    channel.atClose { isTold.signal() }
    _ = channel.send(Data(count: 11))
    DispatchQueue.global().async { channel.close() }
    // It waits for room until the other side closes.
    #expect(!channel.send(Data(count: 1)))
    isTold.wait()
    channel.atClose { isTold.signal() }
    isTold.wait()
  }

  @Test func aSenderThatWaitsEndsWithTheBytes() {
    let channel = ByteChannel(capacity: 10)
    _ = channel.send(Data(count: 11))
    DispatchQueue.global().async { channel.finish(complete: false) }
    #expect(!channel.send(Data(count: 1)))
    channel.finish()
    _ = channel.receive()
    guard case .failure = channel.receive() else { return #expect(Bool(false), "it looks whole") }
  }

  @Test func aQuietChannelBeats() {
    let channel = ByteChannel(heartbeat: Data(":\n".utf8), pause: 0.01)
    #expect(text(channel.receive()) == ":\n")
    #expect(text(channel.receive()) == ":\n")
  }
}
