import Foundation

/// The rows of a file, parsed on several threads and returned in the file's order.
///
/// Reading and dividing the file is the work of one thread at a time; any thread takes its turn and
/// then parses the block that it divided off. The consumer does the same while the next part is not
/// ready, so that a pipeline advances even where no thread can be created. The number of parts that
/// wait is limited, and with it the memory.
///
/// A pipeline belongs to one consumer. When it is released, no thread uses the file or the closure any
/// longer; a thread may end a moment later.
final class RowPipeline<Output: Sendable> {
  /// The rows of one block, and what the pipeline's closure returned for them.
  struct Part: Sendable {
    var rows: CSVRows
    var output: Output
  }

  private let work: RowPipelineWork<Output>
  private var parser = CSVParser()

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - splitter: The file, from the next block on.
  ///   - threads: The number of threads besides the consumer's.
  ///   - convert: A closure that is called with the rows of each block, on any thread.
  init(
    _ splitter: CSVSplitter, threads: Int = RowPipeline.usualThreads,
    convert: @escaping @Sendable (CSVRows) -> Output
  ) {
    work = RowPipelineWork(splitter, mostInFlight: 2 * threads + 2, convert)
    for _ in 0..<threads {
      let thread = Thread { [work] in work.run() }
      thread.name = "holdfast.feeds.rows"
      thread.start()
    }
  }

  deinit { work.stop() }

  /// Returns the next part; `nil` at the end of the file.
  ///
  /// - Throws: Whatever the source of the file throws, after all parts before it.
  func next() throws -> Part? {
    while true {
      switch work.turn() {
      case .part(let part): return part
      case .block(let number, var block): work.parse(&block, number, &parser)
      case .end(let error):
        if let error { throw error }
        return nil
      }
    }
  }

  static var usualThreads: Int { min(ProcessInfo.processInfo.activeProcessorCount, 8) - 1 }
}

/// The state that the threads of a pipeline share.
///
/// Sendable because `condition` guards all variables, except that `splitter` is used without it by
/// the one thread that set `isSplitting`.
private final class RowPipelineWork<Output: Sendable>: @unchecked Sendable {
  typealias Part = RowPipeline<Output>.Part

  /// The next step of the consumer.
  enum Turn {
    case part(Part)
    case block(Int, CSVBlock)
    case end((any Error)?)
  }

  private let condition = NSCondition()
  private let convert: @Sendable (CSVRows) -> Output
  private let mostInFlight: Int
  private var splitter: CSVSplitter?
  private var isSplitting = false
  /// The number of blocks that were divided off.
  private var blocks = 0
  /// The number of parts that the consumer has taken.
  private var taken = 0
  /// The parts that are ready, by the number of their block.
  private var parts: [Int: Part] = [:]
  /// The end of the file, or the error in its place.
  private var end: Result<Void, any Error>?
  private var isStopped = false
  private var running = 0

  init(
    _ splitter: CSVSplitter, mostInFlight: Int, _ convert: @escaping @Sendable (CSVRows) -> Output
  ) {
    self.splitter = splitter
    self.mostInFlight = mostInFlight
    self.convert = convert
  }

  /// Parses blocks until the end of the file or of the pipeline.
  func run() {
    condition.lock()
    running += 1
    condition.unlock()
    var parser = CSVParser()
    while case (let number, var block)? = nextBlock() { parse(&block, number, &parser) }
    condition.lock()
    running -= 1
    condition.broadcast()
    condition.unlock()
  }

  func parse(_ block: inout CSVBlock, _ number: Int, _ parser: inout CSVParser) {
    let rows = parser.parse(&block)
    let part = Part(rows: rows, output: convert(rows))
    condition.lock()
    parts[number] = part
    condition.broadcast()
    condition.unlock()
  }

  /// Returns the next part, or a block to be parsed while the part is not ready.
  func turn() -> Turn {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let part = parts.removeValue(forKey: taken) {
        taken += 1
        condition.broadcast()
        return .part(part)
      }
      if let end, taken == blocks {
        if case .failure(let error) = end { return .end(error) }
        return .end(nil)
      }
      if !canSplit {
        condition.wait()
      } else if let (number, block) = split() {
        return .block(number, block)
      }
    }
  }

  /// Tells all threads to end, and returns when they no longer use the file or the closure.
  func stop() {
    condition.lock()
    isStopped = true
    condition.broadcast()
    while running > 0 { condition.wait() }
    // Released here and not by the last thread: an archive belongs to the consumer's thread.
    splitter = nil
    parts = [:]
    condition.unlock()
  }

  /// Waits until a block can be divided off; returns `nil` when there are no more.
  private func nextBlock() -> (Int, CSVBlock)? {
    condition.lock()
    defer { condition.unlock() }
    while !isStopped, end == nil, !canSplit { condition.wait() }
    return isStopped || end != nil ? nil : split()
  }

  private var canSplit: Bool {
    !isSplitting && !isStopped && end == nil && blocks - taken < mostInFlight
  }

  /// Divides off the next block; the condition is locked before and after, and not meanwhile.
  private func split() -> (Int, CSVBlock)? {
    isSplitting = true
    condition.unlock()
    let result = Result { try splitter?.next() }
    condition.lock()
    isSplitting = false
    condition.broadcast()
    switch result {
    case .success(let block?):
      blocks += 1
      return (blocks - 1, block)
    case .success(nil): end = .success(())
    case .failure(let error): end = .failure(error)
    }
    return nil
  }
}
