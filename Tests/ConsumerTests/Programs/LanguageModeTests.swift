import Testing

/// Code in Swift 5's language mode, which most apps that move over are written in.
@Suite(
  .enabled(if: SwiftProgram.canBeCompiled, "there is no swiftc, or no build of the tool"),
  .timeLimit(.minutes(2)))
struct LanguageModeTests {
  /// Observations are started where nothing says which actor it is, and their closures change what is
  /// not `Sendable`, which Swift 6's mode refuses.
  private static let model = """
    import Dispatch
    import Holdfast

    final class Model {
      private var names: [String] = []
      private var cancellables: [AnyDatabaseCancellable] = []

      func follow(_ pool: DatabasePool) {
        let observation = ValueObservation.tracking { db in
          try String.fetchAll(db, sql: "SELECT name FROM stop")
        }
        var count = 0
        cancellables = [
          observation.start(in: pool) { error in
            self.names = ["\\(error)"]
          } onChange: { [weak self] names in
            self?.names = names
          },
          observation.start(in: pool, scheduling: .async(onQueue: .main)) { error in
            self.names = ["\\(error)"]
          } onChange: { [weak self] names in
            count += names.count
            self?.names = names
          },
          observation.shared(in: pool).start { error in
            self.names = ["\\(error)"]
          } onChange: { names in
            count += names.count
          },
        ]
        print(count)
      }
    }
    """

  @Test func observationsAreStartedAnywhere() throws {
    #expect(try SwiftProgram.diagnostics(of: ["Model.swift": Self.model], languageMode: 5) == "")
    let text = try SwiftProgram.diagnostics(of: ["Model.swift": Self.model])
    let errors = text.split(separator: "\n").filter { $0.contains("error: ") }
    #expect(!errors.isEmpty, "\(text)")
    #expect(errors.filter { !$0.contains("risks causing data races") } == [], "\(text)")
  }
}
