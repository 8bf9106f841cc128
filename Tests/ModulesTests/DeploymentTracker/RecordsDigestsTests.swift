import ForsettiModuleKit
import Testing

@testable import ForsettiModules

@Suite("The digests of a records package") struct RecordsDigestsTests {
  private static let package = RecordsPackage(DeploymentSeed.state())

  @Test("are those of the files' bytes, two digits a byte, and that of the lines of all")
  func digests() async throws {
    let fake = FakeHash()
    let digests = try await RecordsDigests(of: Self.package, by: fake.sha256)
    #expect(fake.hashed.count == Self.package.files.count + 1)
    #expect(Array(fake.hashed.dropLast()) == Self.package.files.map(\.bytes))
    // The fake counts its calls in the last byte.
    #expect(digests.files["audit.csv"] == "000fa0ff01")
    #expect(digests.files["devices.csv"] == "000fa0ff04")
    #expect(digests.files.count == Self.package.files.count)
    #expect(digests.whole == "000fa0ff11")
    let lines = String(decoding: try #require(fake.hashed.last), as: UTF8.self)
    #expect(lines.hasPrefix("000fa0ff01  audit.csv\n000fa0ff02  business.json\n"))
    #expect(lines.hasSuffix("000fa0ff10  workflow.csv\n"))
  }

  @Test("are none where one fails", arguments: [1, 17])
  func failure(call: Int) async {
    let fake = FakeHash(failingAt: call)
    await #expect(throws: ServiceError.deadlineExceeded) {
      _ = try await RecordsDigests(of: Self.package, by: fake.sha256)
    }
    #expect(fake.hashed.count == call)
  }
}
