import Testing

@testable import HoldfastDownloads

struct RetryPolicyTests {
  @Test func theWaitsGrowUpToALimit() {
    let policy = RetryPolicy()
    #expect(policy.delay(after: 1, demanded: nil, random: 0) == .seconds(1))
    #expect(policy.delay(after: 3, demanded: nil, random: 0) == .seconds(4))
    #expect(policy.delay(after: 3, demanded: nil, random: 0.5) == .seconds(3))
    var patient = policy
    patient.attemptLimit = .max
    #expect(patient.delay(after: 1000, demanded: nil, random: 0) == .seconds(300))
  }

  @Test func thereIsAnEnd() {
    #expect(RetryPolicy().delay(after: 6, demanded: nil, random: 0) == nil)
    #expect(RetryPolicy().delay(after: 6, demanded: .seconds(2), random: 0) == nil)
  }

  @Test func theServersWaitIsKept() {
    #expect(RetryPolicy().delay(after: 1, demanded: .seconds(90), random: 0.9) == .seconds(90))
    #expect(RetryPolicy().delay(after: 1, demanded: .zero, random: 0) == .seconds(1))
    #expect(RetryPolicy().delay(after: 1, demanded: .seconds(301), random: 0) == nil)
  }
}
