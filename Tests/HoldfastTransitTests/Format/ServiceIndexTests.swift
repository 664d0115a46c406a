import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Which of many services run on a day, found without looking at each of them.
@Suite struct ServiceIndexTests {
  @Test func `The index finds what looking at each service finds`() {
    var random = SeededRandom(unprinted: 11)
    for _ in 0..<50 {
      var services: [Int32: StoredService] = [:]
      for number in 1...Int32.random(in: 1...30, using: &random) {
        let first = Int.random(in: 20_000...20_040, using: &random)
        let days =
          ServiceDay(
            daysSince1970: first)...ServiceDay(
            daysSince1970: first + Int.random(in: 0...20, using: &random))
        let exceptions = Set((0..<4).map { _ in Int.random(in: 20_000...20_060, using: &random) })
        let hasWeek = Bool.random(using: &random)
        services[number] = StoredService(
          weekdays: hasWeek ? UInt8.random(in: 0...127, using: &random) : 0,
          days: hasWeek ? days : nil,
          exceptions: exceptions.sorted().map { day in
            let day = ServiceDay(daysSince1970: day)
            return StoredExceptions.Exception(
              day: day, isAdded: Bool.random(using: &random), others: 0)
          })
      }
      let index = ServiceIndex(services)
      for day in (19_995...20_065).map(ServiceDay.init(daysSince1970:)) {
        var found: [Int32] = []
        let isWhole = index.forEach(on: day) { number in
          found.append(number)
          return true
        }
        #expect(isWhole)
        #expect(found.sorted() == services.filter { $0.value.runs(on: day) }.keys.sorted())
      }
    }
  }
}
