/// Suggestions for misspelled words.
enum Suggestion {
  /// Returns the candidate most similar to `word`, or `nil` when none is similar.
  ///
  /// Similar means at most one edit per three letters, or being a prefix of exactly one candidate.
  /// Of equally similar candidates, the first is returned.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let begun = candidates.filter { word.count >= 2 && $0.hasPrefix(word) }
    if begun.count == 1 { return begun[0] }
    let allowed = max(1, word.count / 3)
    let measured = candidates.map { (name: $0, distance: distance(word, $0)) }
    return measured.filter { $0.distance <= allowed }.min { $0.distance < $1.distance }?.name
  }

  /// Returns the option most similar to a word that begins with a hyphen; `nil` when none is similar.
  ///
  /// A missing hyphen does not count, nor do the hyphens make a short name similar to another one.
  static func nearestOption(to word: String, among options: [String]) -> String? {
    func bare(_ name: String) -> String { String(name.drop { $0 == "-" }) }
    let name = bare(word)
    if let same = options.first(where: { bare($0) == name.lowercased() }) { return same }
    // A single letter is similar to any other one.
    let long = options.filter { $0.hasPrefix("--") }
    let near = nearest(to: name, among: long.map(bare))
    return near.map { "--\($0)" }
  }

  /// Returns the edit distance of two words: insertions, deletions, substitutions and
  /// transpositions.
  static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.lowercased()), Array(second.lowercased()))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    // Optimal string alignment; rows[i][j] is the distance of the first i and j letters.
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, rows[i - 2][j - 2] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
