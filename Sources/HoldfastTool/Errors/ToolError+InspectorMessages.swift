import HoldfastInspector

// The error messages of `holdfast inspect`.
extension ToolError {
  static func notServed(_ cause: InspectorError) -> ToolError {
    ToolError(
      exitCode: .unavailable, message: cause.message, advice: cause.advice, underlying: cause)
  }

  static let inspectionEnded = ToolError(
    exitCode: .unavailable, message: "The inspector is ending.", advice: "Start it again.")
}
