import Holdfast

// Tests are asynchronous functions that also need the blocking forms, which the compiler rightly
// hides from them.
extension DatabaseReader {
  func blockingBackup(to writer: some DatabaseWriter) throws {
    try backup(to: writer)
  }

  func blockingRead<Value>(_ value: (Database) throws -> Value) throws -> Value {
    try read(value)
  }
}

extension DatabaseWriter {
  func blockingWrite<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try write(updates)
  }
}

extension DatabaseWriter {
  func blockingWithoutTransaction<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try writeWithoutTransaction(updates)
  }

  func blockingSuspend() -> SuspensionReport {
    suspend()
  }

  func blockingBarrier<Value>(_ updates: (Database) throws -> Value) throws -> Value {
    try barrierWriteWithoutTransaction(updates)
  }
}

extension DatabaseFuture {
  func blockingWait() throws -> Value {
    try wait()
  }
}
