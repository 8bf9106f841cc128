import ForsettiCore
import ForsettiIPC
import Testing

@Suite struct ConsoleRequestTests {
  private var request: ConsoleRequest {
    ConsoleRequest(
      lockdown: LockdownRequest(
        filter: [UInt8](repeating: 7, count: 16), supervisorPID: 1, userID: nil, limits: SandboxLimits(),
        mayBeMissing: [.landlock], lastDescriptor: 5),
      token: "t")
  }

  private func decode(_ bytes: [UInt8]) throws(CBORError) -> ConsoleRequest {
    try ConsoleRequest.decode(bytes.span)
  }

  @Test("a request comes back as it was")
  func roundTrip() throws {
    let back = try decode(request.encoded())
    #expect(back == request)
  }

  @Test("a request that does not fit its page, or is cut, is none")
  func faults() throws {
    var long = request
    long.lockdown.filter = [UInt8](repeating: 7, count: 8_000)
    #expect(throws: CBORError.self) { try long.encoded() }
    let bytes = try request.encoded()
    for count in 0..<bytes.count {
      #expect(throws: CBORError.self) { try decode(Array(bytes[..<count])) }
    }
  }
}
