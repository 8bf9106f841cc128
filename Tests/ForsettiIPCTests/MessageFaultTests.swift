import ForsettiCore
import Testing

@testable import ForsettiIPC

/// A frame of these parts, decoded; the error it is refused with.
private func refusal(
  _ kind: FrameKind, head: [UInt8] = [], payload: [UInt8] = [], callID: UInt64 = 0, timeout: UInt32 = 0
) -> ProtocolError? {
  let header = FrameHeader(
    kind: kind, length: UInt32(head.count + payload.count), headLength: UInt16(head.count), callID: callID,
    timeoutMilliseconds: timeout)
  var bytes: [UInt8] = []
  header.encode(into: &bytes)
  var decoder = FrameDecoder()
  decoder.feed(bytes + head + payload)
  do {
    _ = try decoder.nextMessage()
    return nil
  } catch {
    return error as? ProtocolError
  }
}

private func encodingError(_ message: ProtocolMessage) -> MessageEncodingError? {
  do {
    _ = try message.encoded()
    return nil
  } catch {
    return error
  }
}

private func encoded(_ members: KeyValuePairs<String, CBORValue>) throws -> [UInt8] {
  try CBORValue.map(members.map { CBORMember(.text($0), $1) }).encoded()
}

/// `{0: "x"}`
private let publishHead: [UInt8] = [0xa1, 0x00, 0x61, 0x78]

/// A message of each kind, the richest of its samples.
private let richest: [ProtocolMessage] = FrameKind.allCases.compactMap { kind in
  Samples.messages.first { $0.kind == kind }
}

@Suite("Messages that break the protocol")
struct MessageFaultTests {
  @Test(
    "a key too many or, unless it is optional, too few is refused wherever it is",
    arguments: FrameKind.allCases.filter { !$0.isTraffic })
  func keys(kind: FrameKind) throws {
    for message in Samples.messages where message.kind == kind {
      let parts = try parts(of: message)
      let (head, payload) = (parts[0], parts[1])
      for (part, isHead) in [(head, true), (payload, false)] where !part.isEmpty {
        for spoiled in try CBORValue.decode(part.span).spoiled(under: isHead ? "head" : "payload of \(kind)")
        {
          let bytes = try spoiled.value.encoded()
          check(
            spoiled, kind,
            isHead ? refusal(kind, head: bytes, payload: payload) : refusal(kind, head: head, payload: bytes))
        }
      }
    }
  }

  private func check(_ spoiled: Spoiled, _ kind: FrameKind, _ error: ProtocolError?) {
    if spoiled.isHarmless {
      #expect(error == nil, "\(spoiled)")
      return
    }
    guard case .malformed(kind, _, let inner)? = error else {
      Issue.record("\(spoiled) was not refused")
      return
    }
    switch inner.fault {
    // Of the three keys of `refused` one has to be there; the last is named as missing.
    case .missingKey(let key): #expect(key == spoiled.missing || kind == .refused)
    case .unknownKey(let key): #expect(key == "zz unknown zz" && spoiled.missing == nil)
    case .expected(.text): #expect(spoiled.isInDictionary)
    // The keys of the heads of calls and events are numbers.
    case .expected(.integer): #expect(kind == .publish && spoiled.missing == nil)
    default: Issue.record("\(spoiled): \(inner)")
    }
  }

  @Test("any frame with a byte changed gives a message or an error", arguments: richest.indices)
  func mutations(index: Int) throws {
    var generator = SeededGenerator(state: UInt64(index))
    let original = try richest[index].encoded()
    for _ in 0..<2000 {
      var bytes = original
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      bytes[place] =
        Bool.random(using: &generator) ? .random(in: 0...255, using: &generator) : bytes[place] ^ 1
      var decoder = FrameDecoder()
      decoder.feed(bytes)
      // What is accepted has one encoding: the very bytes that came.
      if let message = try? decoder.nextMessage() { #expect(try message.encoded() == bytes) }
    }
  }

  @Test("a body where none belongs, a call ID or a timeout is refused")
  func superfluous() {
    for kind in [FrameKind.release, .started, .stop, .stopped] {
      #expect(refusal(kind, head: [0xa0]) == .malformed(kind, .head, CBORError(.trailingBytes(1))))
      #expect(refusal(kind, payload: [0xa0]) == .malformed(kind, .payload, CBORError(.trailingBytes(1))))
      #expect(refusal(kind, callID: 1) == .notACall(kind))
      #expect(refusal(kind, timeout: 1) == .notACall(kind))
    }
  }

  @Test("a missing and an unknown key are told apart")
  func missingOrUnknown() throws {
    #expect(
      refusal(.log, head: try encoded([:]))
        == .malformed(.log, .head, CBORError(.missingKey("level"), at: 1)))
    #expect(
      refusal(.log, head: try encoded(["levem": .null]))
        == .malformed(.log, .head, CBORError(.missingKey("level"), at: 1)))
    #expect(
      refusal(.log, head: try encoded(["leve": .null, "level": .text("info")]))
        == .malformed(.log, .head, CBORError(.unknownKey("leve"), at: 1)))
    #expect(
      refusal(.log, head: try encoded(["level": .text("info"), "levem": .null]))
        == .malformed(.log, .head, CBORError(.unknownKey("levem"), at: 12)))
  }

  @Test("a payload key of the framework's own is refused at both ends")
  func reservedKeys() throws {
    #expect(
      refusal(
        .publish, head: publishHead, payload: try encoded(["_forsetti.a": .text("")]))
        == .malformed(.publish, .payload, CBORError(.reservedKey("_forsetti.a"), at: 2)))
    #expect(
      encodingError(.publish(PublishMessage(type: "x", payload: ["_forsetti.a": ""])))
        == .invalid(.publish, .reservedKey("_forsetti.a")))
  }

  @Test("two spellings of one key, which a dictionary cannot hold, are refused and do not trap")
  func equivalentKeys() throws {
    let texts = try encoded(["e\u{301}": .text("1"), "\u{e9}": .text("2")])
    var reader = CBORReader(texts.span)
    var found: CBORError?
    do throws(CBORError) { _ = try reader.textMap(limit: 2, keyLimit: 9, valueLimit: 9) } catch {
      found = error
    }
    #expect(found == CBORError(.duplicateKey, at: 6))
    // What the supervisor forwards unread it can't refuse; nobody is to trap on it either.
    #expect(refusal(.publish, head: publishHead, payload: texts) == nil)
  }

  @Test("a value that is only canonically equivalent to one of the allowed is none of them")
  func equivalentValues() throws {
    enum Unit: String { case kelvin = "K" }
    let kelvinSign = try CBORValue.text("\u{212a}").encoded()
    #expect(Unit(rawValue: "\u{212a}") == .kelvin)
    var reader = CBORReader(kelvinSign.span)
    var fault: CBORFault?
    do throws(CBORError) { _ = try reader.choice(Unit.self) } catch { fault = error.fault }
    #expect(fault == .unknownValue("\u{212a}"))
  }

  @Test("what contradicts itself is refused")
  func contradictions() throws {
    let twice = CBORValue.array([.text("storage"), .text("storage")])
    #expect(
      refusal(.start, head: try encoded(["spin": .bool(true), "grants": twice]))
        == .malformed(.start, .head, CBORError(.inconsistent("a capability granted twice"), at: 7)))
    #expect(
      encodingError(.start(StartMessage(grants: [.api, .api])))
        == .invalid(.start, .inconsistent("a capability granted twice")))
    let range = CBORValue.array([.unsigned(2), .unsigned(1)])
    #expect(
      refusal(.refused, head: try encoded(["versions": range]))
        == .malformed(.refused, .head, CBORError(.inconsistent("a version range that is empty"), at: 10)))
    #expect(
      encodingError(.refused(.version(ProtocolRange(lowest: 2, highest: 1))))
        == .invalid(.refused, .inconsistent("a version range that is empty")))
    let contradictory = DescribeMessage(
      descriptor: Samples.service.descriptor, manifest: Samples.service, isUIModule: true, contributions: nil)
    #expect(
      encodingError(.describe(contradictory))
        == .invalid(.describe, .inconsistent("contributions of no UI module, or a UI module without")))
  }

  @Test("a filter is whole instructions, 4,096 of them at most")
  func filters() throws {
    func setUp(_ count: Int) -> ProtocolMessage {
      var lockdown = Samples.lockdown
      lockdown.filter = [UInt8](repeating: 0, count: count)
      return .setUp(SetUpMessage(versions: .current, moduleID: "m", entryPoint: "e", lockdown: lockdown))
    }
    #expect(encodingError(setUp(32_768)) == nil)
    #expect(encodingError(setUp(32_776)) == .invalid(.setUp, .tooLong(limit: 32_768)))
    #expect(
      encodingError(setUp(12))
        == .invalid(.setUp, .inconsistent("a filter that is cut inside an instruction")))
  }

  @Test("texts, entries and arrays are bounded at the sender")
  func senderLimits() {
    func log(_ message: Int, _ entries: Int) -> ProtocolMessage {
      let metadata = Dictionary(uniqueKeysWithValues: (0..<entries).map { ("\($0)", "") })
      return .log(
        LogMessage(level: .info, message: String(repeating: "x", count: message), metadata: metadata))
    }
    #expect(encodingError(log(8192, 32)) == nil)
    #expect(encodingError(log(8193, 0)) == .invalid(.log, .tooLong(limit: 8192)))
    #expect(encodingError(log(0, 33)) == .invalid(.log, .tooLong(limit: 32)))
    #expect(
      encodingError(.describeFailed(DescribeFailedMessage(entryPoint: String(repeating: "x", count: 4097))))
        == .invalid(.describeFailed, .tooLong(limit: 4096)))
    let type = String(repeating: "x", count: 1025)
    #expect(encodingError(.publish(PublishMessage(type: type))) == .invalid(.publish, .tooLong(limit: 1024)))
    let big = PublishMessage(type: "x", payload: ["k": String(repeating: "x", count: 1 << 20)])
    #expect(encodingError(.publish(big)) == .tooLarge(.publish, head: 4, payload: 1_048_584))
    var manifest = Samples.service
    manifest.supportedPlatforms = Array(repeating: .linux, count: 1025)
    let describe = DescribeMessage(
      descriptor: manifest.descriptor, manifest: manifest, isUIModule: false, contributions: nil)
    #expect(encodingError(.describe(describe)) == .invalid(.describe, .tooLong(limit: 1024)))
    manifest.supportedPlatforms = []
    manifest.moduleVersion.minor = -1
    let negative = DescribeMessage(
      descriptor: manifest.descriptor, manifest: manifest, isUIModule: false, contributions: nil)
    #expect(encodingError(.describe(negative)) == .invalid(.describe, .outOfRange))
  }

  @Test("texts and entries are bounded at the receiver")
  func receiverLimits() throws {
    let head = try encoded(["level": .text("info")])
    let long = CBORValue.text(String(repeating: "x", count: 8193))
    #expect(
      refusal(.log, head: head, payload: try encoded(["message": long, "metadata": .map([])]))
        == .malformed(.log, .payload, CBORError(.tooLong(limit: 8192), at: 9)))
    let many = CBORValue.map((0..<33).map { CBORMember(.text("\($0)"), .text("")) })
    #expect(
      refusal(.log, head: head, payload: try encoded(["message": .text(""), "metadata": many]))
        == .malformed(.log, .payload, CBORError(.tooLong(limit: 32), at: 19)))
  }

  @Test("text is cut between scalars, not inside one")
  func truncation() {
    #expect(ProtocolLimits.truncated("abc", to: 3) == "abc")
    #expect(ProtocolLimits.truncated("aé", to: 2) == "a")
    #expect(ProtocolLimits.truncated("aé", to: 3) == "aé")
    #expect(ProtocolLimits.truncated("𐅑𐅑", to: 7) == "𐅑")
    #expect(ProtocolLimits.truncated("𐅑", to: 0) == "")
    // A combining mark is a scalar of its own: no whole character is lost with it.
    #expect(ProtocolLimits.truncated("ae\u{301}", to: 3).utf8.elementsEqual("ae".utf8))
  }

  @Test("errors are one line for people")
  func descriptions() {
    #expect(
      ProtocolError.malformed(.log, .head, CBORError(.missingKey("level"), at: 1)).description
        == #"head of a log frame: no key "level" at byte 1"#)
    #expect(ProtocolError.unexpected(.publish, .describing).description == "a publish frame while describing")
    #expect(FrameError.headExceedsBody(head: 3, body: 2).description == "a head of 3 bytes in a body of 2")
  }
}
