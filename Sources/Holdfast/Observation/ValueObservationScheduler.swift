public import Dispatch

/// Where an observation delivers its values.
///
/// Values are delivered one after the other, in their order, whatever the scheduler does.
public protocol ValueObservationScheduler: Sendable {
  /// Returns whether `start` delivers the first value itself, before it returns.
  func immediateInitialValue() -> Bool

  /// Runs the action, now or later.
  ///
  /// - Parameter action: Delivers one value or error.
  func schedule(_ action: @escaping @Sendable () -> Void)
}

/// A scheduler that delivers on the main actor.
public protocol ValueObservationMainActorScheduler: ValueObservationScheduler {}

/// Delivers on a dispatch queue.
public struct AsyncValueObservationScheduler: ValueObservationScheduler {
  private let queue: DispatchQueue

  /// Creates a scheduler.
  ///
  /// - Parameter queue: Where values are delivered.
  public init(queue: DispatchQueue) {
    self.queue = queue
  }

  /// Returns false.
  public func immediateInitialValue() -> Bool { false }

  /// Runs the action on the queue.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async(execute: action)
  }
}

extension ValueObservationScheduler where Self == AsyncValueObservationScheduler {
  /// Delivers on a dispatch queue.
  ///
  /// - Parameter queue: Where values are delivered.
  /// - Returns: The scheduler.
  public static func async(onQueue queue: DispatchQueue) -> AsyncValueObservationScheduler {
    AsyncValueObservationScheduler(queue: queue)
  }
}

/// Delivers on the main actor, and the first value before `start` returns.
public struct ImmediateValueObservationScheduler: ValueObservationMainActorScheduler {
  /// Creates a scheduler.
  public init() {}

  /// Returns true; ends the process where this is not the main actor.
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
  /// Delivers on the main actor, and the first value before `start` returns.
  ///
  /// The observation must be started on the main actor, which waits for the first value.
  public static var immediate: ImmediateValueObservationScheduler {
    ImmediateValueObservationScheduler()
  }
}

/// Delivers on the main actor, the first value too.
public struct DelayedMainActorValueObservationScheduler: ValueObservationMainActorScheduler {
  /// Creates a scheduler.
  public init() {}

  /// Returns false.
  public func immediateInitialValue() -> Bool { false }

  /// Runs the action on the main actor, which needs no run loop.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task { @MainActor in action() }
  }
}

extension ValueObservationScheduler where Self == DelayedMainActorValueObservationScheduler {
  /// Delivers on the main actor, the first value too.
  public static var mainActor: DelayedMainActorValueObservationScheduler {
    DelayedMainActorValueObservationScheduler()
  }
}

/// Delivers in tasks, on whatever thread.
public struct TaskValueObservationScheduler: ValueObservationScheduler {
  private let priority: TaskPriority?

  fileprivate init(priority: TaskPriority?) {
    self.priority = priority
  }

  /// Returns false.
  public func immediateInitialValue() -> Bool { false }

  /// Runs the action in a task of its own.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    Task.detached(priority: priority) { action() }
  }
}

extension ValueObservationScheduler where Self == TaskValueObservationScheduler {
  /// Delivers in tasks, on whatever thread.
  public static var task: TaskValueObservationScheduler {
    TaskValueObservationScheduler(priority: nil)
  }

  /// Delivers in tasks of a priority, on whatever thread.
  ///
  /// - Parameter priority: The tasks' priority.
  /// - Returns: The scheduler.
  public static func task(priority: TaskPriority) -> TaskValueObservationScheduler {
    TaskValueObservationScheduler(priority: priority)
  }
}

/// Delivers where the value was read, because what it is handed to costs nothing.
struct DirectValueObservationScheduler: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    action()
  }
}
