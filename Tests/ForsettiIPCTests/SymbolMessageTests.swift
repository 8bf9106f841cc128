import ForsettiCore
import ForsettiIPC
import Testing

@Suite("Questions to a symbol worker and its answers") struct SymbolMessageTests {
  private static let lockdown = LockdownRequest(
    filter: [UInt8](repeating: 7, count: 64), supervisorPID: 9, userID: 61_000, limits: SandboxLimits(),
    mayBeMissing: [.landlock], lastDescriptor: 5)
  private static let longest = [SymbolAnswer.Function?](
    repeating: SymbolAnswer.Function(
      name: String(repeating: "n", count: SymbolAnswer.maximumName), start: .max),
    count: SymbolRequest.maximumPlaces)

  private func request(_ bytes: [UInt8]) throws -> SymbolRequest { try SymbolRequest.decode(bytes.span) }

  private func answer(_ bytes: [UInt8]) throws -> SymbolAnswer { try SymbolAnswer.decode(bytes.span) }

  /// What a hostile worker might have written.
  private func answer(_ write: (inout CBORWriter) throws -> Void) throws -> SymbolAnswer {
    var writer = CBORWriter()
    try write(&writer)
    return try answer(writer.bytes)
  }

  @Test("a request is its own again, and no other bytes are one") func request() throws {
    let request = SymbolRequest(lockdown: Self.lockdown, places: [0, 7, .max])
    let bytes = try request.encoded()
    #expect(try self.request(bytes) == request)
    #expect(throws: CBORError.self) { try self.request(bytes.dropLast()) }
    #expect(throws: CBORError(.trailingBytes(1), at: bytes.count)) {
      try self.request(bytes + [0])
    }
  }

  @Test("a request holds so many places, and fits into the smallest pipe") func requestBounds() throws {
    let most = SymbolRequest.maximumPlaces
    let full = SymbolRequest(lockdown: Self.lockdown, places: [UInt64](repeating: .max, count: most))
    #expect(try full.encoded().count <= SymbolRequest.maximumBytes)
    var fuller = full
    fuller.places.append(0)
    #expect(throws: CBORError(.tooLong(limit: most))) { try fuller.encoded() }
    fuller = full
    fuller.lockdown.filter = [UInt8](repeating: 0, count: SymbolRequest.maximumBytes)
    #expect(throws: CBORError(.tooLong(limit: SymbolRequest.maximumBytes))) { try fuller.encoded() }
  }

  @Test(
    "an answer is its own again",
    arguments: [
      SymbolAnswer.functions([]), .functions([nil, .init(name: "f()", start: 1), nil]), .functions(longest),
      .refused(step: .landlock, errno: 38),
    ])
  func answer(answer: SymbolAnswer) throws {
    let bytes = try answer.encoded()
    #expect(bytes.count <= SymbolAnswer.maximumBytes)
    #expect(try self.answer(bytes) == answer)
    for end in bytes.indices {
      #expect(throws: CBORError.self) { try self.answer(Array(bytes[..<end])) }
    }
  }

  @Test("whatever a byte of it becomes, it is read as something within its bounds or refused")
  func mutations() throws {
    var random = SeededGenerator(state: 7)
    let seeds = try [
      SymbolAnswer.functions([nil, .init(name: "f()", start: 1), .init(name: "gü", start: .max)]),
      .refused(step: .landlock, errno: 38),
    ].map { try $0.encoded() }
    for round in 0..<4_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard case .functions(let functions)? = try? answer(bytes) else { continue }
      #expect(functions.allSatisfy { ($0?.name.utf8.count ?? 0) <= SymbolAnswer.maximumName })
    }
  }

  @Test("a longer name is cut where a character ends") func cut() throws {
    let name = "x" + String(repeating: "ü", count: SymbolAnswer.maximumName)
    let answer = SymbolAnswer.functions([SymbolAnswer.Function(name: name, start: 0)])
    guard case .functions(let functions) = try self.answer(answer.encoded()) else {
      Issue.record("no functions")
      return
    }
    #expect(functions[0]?.name == "x" + String(repeating: "ü", count: SymbolAnswer.maximumName / 2 - 1))
  }

  @Test("an answer that a hostile worker might give is refused, not believed") func hostile() throws {
    let many = SymbolRequest.maximumPlaces + 1
    #expect(throws: CBORError.self) {
      try answer { writer in
        writer.array(count: many)
        for _ in 0..<many { writer.null() }
      }
    }
    #expect(throws: CBORError(.tooLong(limit: SymbolAnswer.maximumName), at: 2)) {
      try answer { writer in
        writer.array(count: 1)
        writer.array(count: 2)
        try writer.text(String(repeating: "n", count: SymbolAnswer.maximumName + 1))
        writer.unsigned(0)
      }
    }
    #expect(throws: CBORError.self) { try answer { $0.array(count: 1 << 40) } }
    #expect(throws: CBORError(.unknownValue("no_such_step"), at: 6)) {
      try answer { writer in
        writer.map(count: 2)
        try writer.text("step")
        try writer.text("no_such_step")
        try writer.text("errno")
        writer.unsigned(0)
      }
    }
  }
}
