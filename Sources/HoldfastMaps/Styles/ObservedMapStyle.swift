import Foundation
public import Holdfast
import HoldfastFiles
public import Observation

/// The style document that a map shows now, as a value that changes with the appearance and with the
/// installed generation.
///
/// ```swift
/// let style = ObservedMapStyle(styles, appearance: .light)
/// // Where the traits of the view change:
/// style.appearance = traitCollection.userInterfaceStyle == .dark ? .dark : .light
/// // In a view's body, or in an observation of the value:
/// if let current = style.current { mapView.styleURL = current.url }
/// ```
///
/// The value changes only when the document does, so a map keeps its camera when nothing is new: it
/// is not asked to load the same document again. Assign nothing but the `styleURL` when it changes.
/// MapLibre takes the camera of a style document only for a map whose camera was never set, so set
/// the camera once after the map was created, and a change between light and dark leaves it alone.
@MainActor
public final class ObservedMapStyle: Observable {
  private let registrar = ObservationRegistrar()
  private var prepared: PreparedMapStyle?
  private var failure: (any Error)?
  private var latest: Task<Void, Never>?
  private var following: Task<Void, Never>?

  /// Creates a value, and begins to prepare the document.
  ///
  /// - Parameters:
  ///   - styles: The style documents of the map.
  ///   - appearance: The appearance that is shown first.
  public init(_ styles: MapStyles, appearance: MapAppearance) {
    self.styles = styles
    self.appearance = appearance
    prepare()
  }

  /// Creates a value that also changes when a source switches to another tileset.
  ///
  /// ```swift
  /// let style = ObservedMapStyle(
  ///   following: store.source("map.mbtiles", of: pack), styles, appearance: .light
  /// ) { try store.mapStyles(of: pack) }
  /// ```
  ///
  /// - Parameters:
  ///   - source: The source, such as a pack's file.
  ///   - styles: The style documents of the map as it is now.
  ///   - appearance: The appearance that is shown first.
  ///   - current: Returns the style documents after a switch, on any thread; `nil` keeps the last
  ///     ones. When it throws, it is called again after a second, and then after longer pauses of up
  ///     to a minute.
  public convenience init(
    following source: some DatabaseSource, _ styles: MapStyles, appearance: MapAppearance,
    current: @escaping @Sendable () throws -> MapStyles?
  ) {
    self.init(styles, appearance: appearance)
    let switches = source.switches()
    following = Task { [weak self] in
      // Once before the first switch, because there may have been one since `styles` was made.
      await Self.retry { await self?.adopt(current) ?? true }
      for await _ in switches {
        guard self != nil else { return }
        await Self.retry { await self?.adopt(current) ?? true }
      }
    }
  }

  /// Repeats what fails, with longer and longer pauses, until it succeeds or the task is cancelled.
  private static func retry(_ body: () async -> Bool) async {
    var pause = Duration.seconds(1)
    while await !body() {
      do {
        try await Task.sleep(for: pause)
      } catch {
        return
      }
      pause = min(pause * 2, .seconds(60))
    }
  }

  deinit { following?.cancel() }

  /// Takes over the present style documents.
  ///
  /// - Returns: Whether they could be read.
  private func adopt(_ current: @escaping @Sendable () throws -> MapStyles?) async -> Bool {
    do {
      if let styles = try await BlockingWork.userInitiated.run(current) { self.styles = styles }
      return true
    } catch {
      report(error)
      return false
    }
  }

  /// The style documents of the map; a change, such as to another generation, prepares the document
  /// again.
  public var styles: MapStyles {
    didSet { if styles != oldValue { prepare() } }
  }

  /// The appearance; a change prepares the other document.
  public var appearance: MapAppearance {
    didSet { if appearance != oldValue { prepare() } }
  }

  /// The document; `nil` until the first one is ready.
  ///
  /// It stays as it was while another one is prepared, and when that fails.
  public private(set) var current: PreparedMapStyle? {
    get {
      registrar.access(self, keyPath: \.current)
      return prepared
    }
    set { registrar.withMutation(of: self, keyPath: \.current) { prepared = newValue } }
  }

  /// The error of the last preparation; `nil` when it succeeded.
  public private(set) var error: (any Error)? {
    get {
      registrar.access(self, keyPath: \.error)
      return failure
    }
    set { registrar.withMutation(of: self, keyPath: \.error) { failure = newValue } }
  }

  /// Waits until the document for the present values is ready, and returns it.
  ///
  /// - Returns: The document; `nil` when none could be prepared, as ``error`` says.
  @discardableResult
  public func ready() async -> PreparedMapStyle? {
    // A change during the wait begins another preparation.
    var awaited: Task<Void, Never>?
    while let task = latest, task != awaited {
      await task.value
      awaited = task
    }
    return prepared
  }

  /// Renders the document again, for example when the app comes to the foreground.
  ///
  /// - Returns: The document; `nil` when none could be prepared.
  @discardableResult
  public func refresh() async -> PreparedMapStyle? {
    prepare()
    return await ready()
  }

  private func prepare() {
    let before = latest
    latest = Task { [weak self] in
      await before?.value
      // The current values, not the change's: of several changes the last one counts.
      guard let (styles, appearance) = self.map({ ($0.styles, $0.appearance) }) else { return }
      do {
        self?.adopt(try await styles.prepare(appearance))
      } catch {
        self?.report(error)
      }
    }
  }

  private func report(_ error: any Error) {
    Log.report(.error, .maps, "Error loading map tiles! \(error)")
    self.error = error
  }

  private func adopt(_ style: PreparedMapStyle) {
    if failure != nil { error = nil }
    // The same document again must not make the map load it again.
    let isSame = prepared.map { $0.url == style.url && $0.digest == style.digest } ?? false
    if !isSame { current = style }
  }
}
