/// The most a case may cost, and whether it must hold today.
struct Bound {
  enum Subject {
    /// Ours divided by the floor.
    case ratio
    /// Ours itself, in the case's unit.
    case value
  }

  enum Standing {
    case enforced
    /// A number that a later change is to reach; printed only.
    case later
    /// A number that proved out of reach; it stays as it was, and the profile shows why.
    case unreached(reason: String, profile: String)
  }

  let subject: Subject
  let limit: Double
  private(set) var standing = Standing.enforced

  static func ratio(_ limit: Double) -> Bound { Bound(subject: .ratio, limit: limit) }
  static func value(_ limit: Double) -> Bound { Bound(subject: .value, limit: limit) }

  /// The same bound, not yet enforced.
  var later: Bound {
    var bound = self
    bound.standing = .later
    return bound
  }

  /// The same bound, known to be out of reach.
  ///
  /// - Parameters:
  ///   - reason: What stands in the way.
  ///   - profile: Where the cost goes, or the file that shows it.
  /// - Returns: The bound, printed with its reason and failing nothing.
  func unreached(_ reason: String, profile: String) -> Bound {
    var bound = self
    bound.standing = .unreached(reason: reason, profile: profile)
    return bound
  }
}
