import Foundation

do {
  let arguments = CommandLine.arguments
  if arguments.count == 4, arguments[1] == "--child", let work = ChildWork(rawValue: arguments[2]) {
    try work.run(arguments[3])
    exit(0)
  }
  if arguments.count == 4, arguments[1] == Writer.word,
    let kind = Writer.Kind(rawValue: arguments[2])
  {
    try Writer.run(kind, on: arguments[3])
    exit(0)
  }
  if arguments.count == 4, arguments[1] == PackCampaign.Work.word,
    let work = PackCampaign.Work(rawValue: arguments[2])
  {
    try work.perform(in: arguments[3])
    exit(0)
  }
  let options = try Options(CommandLine.arguments.dropFirst())
  exit(try run(options) ? 0 : 1)
} catch let error as BenchmarkError {
  FileHandle.standardError.write(Data("\(error.message)\n\(error.advice)\n".utf8))
  exit(error.exitCode)
}

/// Runs the groups and returns whether every enforced bound is kept.
func run(_ options: Options) throws -> Bool {
  print(Machine.description + (options.isShort ? " · short form, its times mean nothing" : ""))
  if options.isOfProcessorTime {
    print("Processor time of one thread, for one-threaded cases only")
  }
  var isReached = true
  for group in options.groups {
    let cases = try group.cases(isShort: options.isShort).filter(options.wants)
    let table = MarkdownTable(caseNames: cases.map(\.name))
    print("\n## \(group.rawValue)\n\nFloor: \(group.floor).\n\n\(table.head)")
    var lines: [String] = []
    for subject in cases {
      if let absence = try subject.absence() {
        print(table.row(skipped: subject.name, because: absence))
        fflush(nil)
        continue
      }
      let measurement = try subject.measure(runs: options.isShort ? 1 : group.runs)
      print(table.row(measurement, isShort: options.isShort))
      // Each line is written at once, even into a pipe.
      fflush(nil)
      let line = JSONLine(measurement, group: group, isShort: options.isShort)
      lines.append(try line.text)
      isReached = isReached && line.ok
    }
    try JSONLine.write(lines, for: group)
  }
  return isReached
}
