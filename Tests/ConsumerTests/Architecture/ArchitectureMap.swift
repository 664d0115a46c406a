/// The captions of ARCHITECTURE.md.
///
/// A heading that ends with a folder in backticks opens it; each list line below begins with the
/// name of a file, or of a folder and a slash, in backticks; what follows is the caption.
struct ArchitectureMap {
  var captions: [(path: String, text: String, line: Int)] = []

  init(_ markdown: String) {
    var folder: String?
    for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .enumerated()
    {
      let parts = line.split(separator: "`", omittingEmptySubsequences: false)
      if line.hasPrefix("#") {
        folder = parts.count > 1 && parts[1].hasSuffix("/") ? String(parts[1]) : nil
      } else if let folder, line.hasPrefix("- `"), parts.count > 2 {
        let text = parts[2...].joined(separator: "`")
        captions.append((folder + parts[1], text, index + 1))
      }
    }
  }
}
