public import Dispatch

/// A type that decides where an observation delivers its values.
///
/// Values are delivered one at a time and in order, whatever the scheduler does.
public protocol ValueObservationScheduler: Sendable {
  /// Returns whether `start` itself delivers the first value, before it returns.
  func immediateInitialValue() -> Bool

  /// Runs the action, immediately or later.
  ///
  /// - Parameter action: Delivers one value or error.
  func schedule(_ action: @escaping @Sendable () -> Void)
}

/// A scheduler that delivers on the main actor.
public protocol ValueObservationMainActorScheduler: ValueObservationScheduler {}

/// A scheduler that delivers on a dispatch queue.
public struct AsyncValueObservationScheduler: ValueObservationScheduler {
  private let queue: DispatchQueue

  /// Creates a scheduler.
  ///
  /// - Parameter queue: The queue on which values are delivered.
  public init(queue: DispatchQueue) {
    self.queue = queue
  }

  /// Returns `false`.
  public func immediateInitialValue() -> Bool { false }

  /// Runs the action on the queue.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }
}

extension ValueObservationScheduler where Self == AsyncValueObservationScheduler {
  /// Returns a scheduler that delivers on a dispatch queue.
  ///
  /// - Parameter queue: The queue on which values are delivered.
  /// - Returns: A scheduler that delivers every value there.
  public static func async(onQueue queue: DispatchQueue) -> AsyncValueObservationScheduler {
    AsyncValueObservationScheduler(queue: queue)
  }
}

/// A scheduler that delivers on the main actor, and the first value before `start` returns.
public struct ImmediateValueObservationScheduler: ValueObservationMainActorScheduler {
  /// Creates a scheduler.
  public init() {}

  /// Returns `true`; traps when it is not called on the main actor.
  public func immediateInitialValue() -> Bool {
    MainActor.preconditionIsolated("An .immediate observation is started on the main actor.")
    return true
  }

  /// Runs the action on the main actor.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task { @MainActor in action() }
  }
}

extension ValueObservationScheduler where Self == ImmediateValueObservationScheduler {
  /// A scheduler that delivers on the main actor, and the first value before `start` returns.
  ///
  /// The observation must be started on the main actor, which waits for the first value.
  public static var immediate: ImmediateValueObservationScheduler {
    ImmediateValueObservationScheduler()
  }
}

/// A scheduler that delivers on the main actor, including the first value.
public struct DelayedMainActorValueObservationScheduler: ValueObservationMainActorScheduler {
  /// Creates a scheduler.
  public init() {}

  /// Returns `false`.
  public func immediateInitialValue() -> Bool { false }

  /// Runs the action on the main actor; no run loop is needed.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task { @MainActor in action() }
  }
}

extension ValueObservationScheduler where Self == DelayedMainActorValueObservationScheduler {
  /// A scheduler that delivers on the main actor, including the first value.
  public static var mainActor: DelayedMainActorValueObservationScheduler {
    DelayedMainActorValueObservationScheduler()
  }
}

/// A scheduler that delivers in tasks, on any thread.
public struct TaskValueObservationScheduler: ValueObservationScheduler {
  private let priority: TaskPriority?

  fileprivate init(priority: TaskPriority?) {
    self.priority = priority
  }

  /// Returns `false`.
  public func immediateInitialValue() -> Bool { false }

  /// Runs the action in a separate task.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task.detached(priority: priority) { action() }
  }
}

extension ValueObservationScheduler where Self == TaskValueObservationScheduler {
  /// A scheduler that delivers in tasks, on any thread.
  public static var task: TaskValueObservationScheduler {
    TaskValueObservationScheduler(priority: nil)
  }

  /// Returns a scheduler that delivers in tasks with a priority, on any thread.
  ///
  /// - Parameter priority: The tasks' priority.
  /// - Returns: A scheduler whose tasks all have that priority.
  public static func task(priority: TaskPriority) -> TaskValueObservationScheduler {
    TaskValueObservationScheduler(priority: priority)
  }
}

/// A scheduler that delivers on the thread that read the value, for receivers that do not block.
struct DirectValueObservationScheduler: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    action()
  }
}
