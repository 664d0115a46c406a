// The advice about a migration that failed.

extension DatabaseError.SuspectedRenaming {
  /// The advice for a migration that may have run under another name.
  package var advice: String {
    let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
    let isOne = unknown.count == 1
    let (listed, one) = (
      isOne ? "migration \(names), which is" : "migrations \(names), which are",
      isOne ? "it" : "one of them"
    )
    return
      "The database lists the \(listed) not registered: if '\(migration)' is a new name of \(one), "
      + "register it under the old name, or with `merging: [\"\(isOne ? unknown[0] : "OLD NAME")\"]`, "
      + "and look there whether the change was made."
  }
}
